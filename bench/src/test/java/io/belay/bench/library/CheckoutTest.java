package io.belay.bench.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckoutTest {
    @TempDir
    private Path root;

    private Checkout with(String... jars) throws Exception {
        Path lib = Files.createDirectories(root.resolve("bench/target/dist/lib"));
        for (String jar : jars) {
            Files.writeString(lib.resolve(jar), "");
        }
        return new Checkout(root);
    }

    /** Stamps a build, as the scripts do, with the time when it began. */
    private void stamp(String directory, long millis) throws Exception {
        Path stamp = Files.writeString(
                Files.createDirectories(root.resolve(directory)).resolve(".built"), "");
        Files.setLastModifiedTime(stamp, FileTime.fromMillis(millis));
    }

    private static List<String> names(String classPath) {
        return List.of(classPath.split(File.pathSeparator, -1)).stream()
                .map(entry -> String.valueOf(Path.of(entry).getFileName()))
                .toList();
    }

    @Test
    void theOtherBuildsJarsTakeThePlaceOfThisOnes() throws Exception {
        String classPath = with("belay-core-0.9.jar", "belay-bench-0.9.jar", "lettuce-core-5.0.jar", "gone-1.jar")
                .classPath();
        assertThat(names(classPath))
                .startsWith("belay-core-0.9.jar", "gone-1.jar", "lettuce-core-5.0.jar")
                .doesNotContain("belay-bench-0.9.jar")
                .filteredOn(name -> name.startsWith("lettuce-core-") || name.startsWith("belay-"))
                .as("nothing of this build's but what the other does not bring, and its benchmark")
                .containsExactly("belay-core-0.9.jar", "lettuce-core-5.0.jar");
        assertThat(names(classPath)).anyMatch(name -> name.startsWith("redisson-"));
        assertThat(classPath.split(File.pathSeparator, -1))
                .contains(Path.of(Checkout.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
    }

    /** With that of another kind of processor the other build would work by a slower way than this one. */
    @Test
    void allJarsOfOneNameAreTaken() throws Exception {
        String[] jars = {
            "jackson-core-2.0.jar",
            "jackson-core-3.0.jar",
            "netty-transport-native-epoll-4.2-linux-aarch_64.jar",
            "netty-transport-native-epoll-4.2-linux-x86_64.jar"
        };
        assertThat(names(with(jars).classPath()))
                .filteredOn(
                        name -> name.startsWith("jackson-core-") || name.startsWith("netty-transport-native-epoll-"))
                .containsExactly(jars);
    }

    @Test
    void theNewestOfItsTwoBuildsIsTaken() throws Exception {
        Checkout checkout = with("belay-core-0.9.jar");
        stamp("bench/target/dist", 1_000_000);
        assertThat(checkout.isBuilt()).isTrue();
        stamp("bench/target/quick/dist", 2_000_000);
        assertThat(checkout.isBuilt()).as("the newest has no jars").isFalse();
        stamp("bench/target/dist", 3_000_000);
        assertThat(checkout.isBuilt()).isTrue();
    }

    @Test
    void aDirectoryIsNoBuild() throws Exception {
        assertThat(new Checkout(root).isBuilt()).isFalse();
        assertThat(with("gone-1.jar").isBuilt()).isFalse();
        assertThat(with("belay-core-0.9.jar").isBuilt()).isTrue();
        assertThat(new Checkout(root.resolve("none")).commit()).isEqualTo("no commit that git knows");
    }
}
