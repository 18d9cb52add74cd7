package io.belay.cli.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2's driver, which is taken from the class path and given by {@code --driver} in place of that. */
@Tag("long")
class DriverOptionTest {
    @TempDir
    private Path directory;

    /** Returns the jar of H2 from this test's own class path. */
    private static Path h2() throws ClassNotFoundException, URISyntaxException {
        Class<?> driver = Class.forName("org.h2.Driver");
        return Path.of(
                driver.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private String store() {
        return "jdbc:h2:file:" + directory.resolve("locks");
    }

    /** Runs a command in a process that does not know H2. */
    private static CommandRun withoutH2(String... args) throws Exception {
        String h2 = h2().toString();
        String all = System.getProperty("java.class.path");
        String others = Arrays.stream(all.split(File.pathSeparator, -1))
                .filter(entry -> !entry.equals(h2))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(others).hasSizeLessThan(all.length());
        return Cli.run(Map.of("CLASSPATH", others), args);
    }

    private Path jar(String name, String service) throws IOException {
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(service));
            out.write("nobody.knows.Driver\n".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    @Test
    void withoutItThereIsNoDriver() throws Exception {
        CommandRun run = withoutH2("schema", "--create", "--store", store());
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output())
                .startsWith("belay: no driver on the class path")
                .contains("--driver");
    }

    @Test
    void allCommandsConnectByIt() throws Exception {
        String h2 = h2().toString();
        String store = store();
        String other = jar("other.jar", "nothing").toString();
        for (String command : new String[] {
            "schema --create",
            "doctor",
            "locks",
            "inspect x",
            // Its process opens the file once this one has closed it.
            "hammer x --processes 1 --threads 2 --seconds 1"
        }) {
            CommandRun run =
                    withoutH2((command + " --driver " + other + " --driver " + h2 + " --store " + store).split(" "));
            assertThat(run.exitCode()).as(command + ": " + run.output()).isZero();
        }
        CommandRun run = withoutH2("break", "x", "--yes", "--store", store, "--driver", h2);
        assertThat(run.output()).isEqualTo("nobody holds x");
    }

    @Test
    void aDriverThatIsThereAnywayMayBeGiven() throws Exception {
        CommandRun run = Cli.inside("doctor", "--store", "memory:x", "--driver", h2().toString());
        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    @Test
    void mistakes() throws Exception {
        Path text = Files.writeString(directory.resolve("text.jar"), "text");
        Path empty = jar("empty.jar", "nothing");
        Path broken = jar("broken.jar", "META-INF/services/java.sql.Driver");
        Path missing = directory.resolve("missing.jar");
        assertOneLine(missing).contains("--driver " + missing + " does not exist");
        assertOneLine(text).contains("--driver " + text + " is no jar");
        assertOneLine(directory).contains("--driver " + directory + " cannot be read, or is a directory");
        assertOneLine(empty).contains("no JDBC driver in " + empty);
        assertOneLine(broken)
                .contains("the driver in " + broken + " cannot be loaded")
                .contains("nobody.knows.Driver");
        assertThat(Cli.inside("doctor", "--store", "memory:x", "--driver").exitCode())
                .isEqualTo(2);
    }

    private static AbstractStringAssert<?> assertOneLine(Path jar) {
        CommandRun run = Cli.inside("doctor", "--store", "memory:x", "--driver", jar.toString());
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output().strip()).startsWith("belay: ").doesNotContain("\n");
        return assertThat(run.output());
    }
}
