package io.belay.servers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("selftest")
class UnpackedServerTest {
    @TempDir
    Path directory;

    private Path root;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(directory.resolve("it's here"));
    }

    private UnpackedServer server() {
        return new UnpackedServer(root, root);
    }

    private Path file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "x");
    }

    @Test
    void theLoaderIsTheOneBesideTheLibraries() throws Exception {
        file("usr/lib/i386-linux-gnu/ld-linux.so.2");
        file("usr/lib/x86_64-linux-gnu/libc.so.6");
        Path loader = file("usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
        Path link = root.resolve("usr/lib64/ld-linux-x86-64.so.2");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"));
        assertThat(server().loader()).isEqualTo(loader);
    }

    @Test
    void anotherArchitectureHasAnotherName() throws Exception {
        Path loader = file("usr/lib/ld-linux-aarch64.so.1");
        assertThat(server().loader()).isEqualTo(loader);
    }

    @Test
    void aLinkThatLeadsToTheMachinesOwnLoaderIsNotFollowed() throws Exception {
        Path outside = Files.writeString(directory.resolve("ld-linux-x86-64.so.2"), "x");
        Path link = root.resolve("lib64/ld-linux-x86-64.so.2");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, outside);
        assertThatThrownBy(() -> server().loader())
                .isInstanceOf(IOException.class)
                .hasMessage("the packages have no loader ld-linux-*");
    }

    @Test
    void aProgramThatIsMissingIsNamed() throws Exception {
        file("usr/lib/ld-linux-aarch64.so.1");
        assertThatThrownBy(() -> server().makeStartable(List.of("usr/bin/etcd")))
                .isInstanceOf(IOException.class)
                .hasMessage("the packages have no usr/bin/etcd");
    }

    @Test
    void aScriptStaysAsItIs() throws Exception {
        file("usr/lib/ld-linux-aarch64.so.1");
        Path script = Files.writeString(file("usr/bin/install"), "#!/bin/sh\n");
        server().makeStartable(List.of("usr/bin/install"));
        assertThat(script).hasContent("#!/bin/sh");
    }

    /** This machine's own shell, which needs the C library only, with what it needs in another place. */
    @Test
    void aProgramRunsByItsOwnLoaderUnderItsOwnNameThoughTheDirectoryWasMoved() throws Exception {
        Path libraries = Files.createDirectories(root.resolve("usr/lib/x-linux-gnu"));
        for (String name : List.of("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6")) {
            for (Path found : machinesOwn(name)) {
                Files.copy(found, libraries.resolve(name));
            }
        }
        assumeTrue(Files.exists(libraries.resolve("libc.so.6")), "no C library of GNU's");
        Path shell = Files.copy(
                Path.of("/bin/sh").toRealPath(), file("usr/bin/shell").resolveSibling("real"));
        Path link = root.resolve("usr/bin/linked");
        Files.createSymbolicLink(link, shell.getFileName());
        Path later = directory.resolve("then 'there'");

        new UnpackedServer(root, later).makeStartable(List.of("usr/bin/linked"));
        Files.move(root, later);

        Process process = new ProcessBuilder(
                        later.resolve("usr/bin/linked").toString(),
                        "-c",
                        "tr '\\0' '|' </proc/$$/cmdline; readlink /proc/$$/exe",
                        "a b")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(said).isZero();
        assertThat(said)
                .contains("|--argv0|" + later + "/usr/bin/linked|", "|a b|")
                .containsPattern(later + "/usr/lib/x-linux-gnu/ld-linux-\\S+\n$");
    }

    private static List<Path> machinesOwn(String library) throws IOException {
        try (Stream<Path> triplets = Files.list(Path.of("/lib"))) {
            return Stream.concat(
                            Stream.of(Path.of("/lib64"), Path.of("/lib")),
                            triplets.filter(path -> path.toString().contains("-linux-gnu")))
                    .map(directory -> directory.resolve(library))
                    .filter(Files::exists)
                    .limit(1)
                    .toList();
        }
    }
}
