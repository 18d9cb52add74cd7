package io.belay.servers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With programs in place of apt-get and dpkg-deb that do what the test says. */
@Tag("selftest")
class FetchedServerTest {
    private static final DebianServer SERVER = DebianServer.ETCD_3_5;

    @TempDir
    Path directory;

    private Path bin;
    private Path etc;
    private ServerCache cache;
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        bin = Files.createDirectory(directory.resolve("bin"));
        etc = Files.createDirectory(directory.resolve("etc"));
        Files.writeString(etc.resolve("sources.list"), "deb http://127.0.0.1:1/ stable main\n");
        cache = new ServerCache(directory.resolve("cache"));
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** An apt that has etcd in this version, and the C library with it. */
    private void aptHas(String version) throws IOException {
        program("apt-get", """
                for word; do case $word in Dir::Cache=*) dir=${word#*=} ;; esac; done
                case "$*" in
                  *--print-uris*)
                    echo "'http://127.0.0.1:1/x' etcd-server_%1$s_amd64.deb 5 SHA256:0"
                    echo "'http://127.0.0.1:1/y' libc6_2.41-1_amd64.deb 5 SHA256:0" ;;
                  *--download-only*)
                    for p in etcd-server_%1$s libc6_2.41-1; do printf 12345 >"$dir/archives/${p}_amd64.deb"; done ;;
                esac
                """.formatted(version));
        program("dpkg-deb", """
                case $2 in
                  */etcd-server_*) mkdir -p "$3/usr/bin" && printf '\\177ELF' >"$3/usr/bin/etcd" ;;
                  *) mkdir -p "$3/usr/lib64" && echo >"$3/usr/lib64/ld-linux-x86-64.so.2" ;;
                esac
                """);
    }

    private Path fetch() throws IOException, InterruptedException {
        return cache.get(SERVER.id(), new Fetching(SERVER, etc, bin.toString(), said::add));
    }

    @Test
    void itIsDownloadedUnpackedAndMadeStartableAndSaidInOneLine() throws Exception {
        aptHas("3.5.30-2");
        Path root = fetch();
        assertThat(root.resolve("usr/bin/etcd"))
                .content()
                .contains(root + "/usr/lib64/ld-linux-x86-64.so.2' --library");
        assertThat(root.resolve(".apt")).doesNotExist();
        assertThat(said)
                .containsExactly("fetching etcd 3.5 (3.5.30-2) from Debian's unstable: 2 packages, 0 MB, to " + root);
    }

    @Test
    void aSuiteThatHasMovedOnIsNamed() throws Exception {
        aptHas("3.6.1-1");
        assertThatThrownBy(this::fetch).hasMessage("Debian's unstable has moved on to etcd-server 3.6.1-1");
        assertThat(cache.has(SERVER.id())).isFalse();
        assertThat(said).isEmpty();
    }

    @Test
    void aDownloadThatIsCutOffIsNotTakenForWhole() throws Exception {
        aptHas("3.5.30-2");
        Path apt = bin.resolve("apt-get");
        Files.writeString(apt, Files.readString(apt).replace("printf 12345", "printf 123"));
        assertThatThrownBy(this::fetch).hasMessage("apt-get did not download etcd-server_3.5.30-2_amd64.deb");
        assertThat(cache.has(SERVER.id())).isFalse();
    }

    @Test
    void whatAptSaysIsPassedOn() throws Exception {
        aptHas("3.5.30-2");
        program(
                "apt-get",
                "case \"$*\" in *update*) exit 0 ;; esac\n"
                        + "echo Reading; echo 'E: Unable to locate package etcd-server'; echo more; exit 100\n");
        assertThatThrownBy(this::fetch).hasMessage("apt-get ended with 100: Unable to locate package etcd-server");
    }

    /** As long as another source has what is needed, that one has no such suite is nobody's trouble. */
    @Test
    void aSourceThatCannotBeReadIsToldOnlyWhenSomethingIsMissing() throws Exception {
        aptHas("3.5.30-2");
        Path apt = bin.resolve("apt-get");
        String broken = "case \"$*\" in *update*) echo 'E: no ReleaseOutcome file'; exit 100 ;; esac\n";
        Files.writeString(apt, Files.readString(apt).replaceFirst("\n", "\n" + broken.replace("$", "\\$")));
        assertThat(fetch()).isDirectory();

        ServerCache.delete(cache.path(SERVER.id()));
        program("apt-get", broken + "echo 'E: Unable to locate package'; exit 100\n");
        assertThatThrownBy(this::fetch).hasMessage("apt-get ended with 100: no ReleaseOutcome file");
    }

    @Test
    void withoutAptThereIsOneLine() {
        Map<String, String> environment = Map.of("BELAY_FETCH_SERVERS", "true", "PATH", bin.toString());
        FetchedServer server = FetchedServer.find(SERVER, cache, environment);
        assertThat(server.isThere()).isFalse();
        assertThat(server.whyNot())
                .isEqualTo(
                        "cannot fetch etcd 3.5: there is no program dpkg-deb, which only Debian and systems like it have");
        assertThatThrownBy(() -> server.program("etcd")).hasMessage(server.whyNot());
    }

    @Test
    void whoDoesNotSayYesIsToldHow() {
        for (Map<String, String> environment :
                List.of(Map.<String, String>of(), Map.of("BELAY_FETCH_SERVERS", "false"))) {
            FetchedServer server = FetchedServer.find(SERVER, cache, environment);
            assertThat(server.isThere()).isFalse();
            assertThat(server.whyNot())
                    .startsWith("etcd 3.5 is not in " + cache.path("etcd-3.5"))
                    .contains("BELAY_FETCH_SERVERS=true", "unstable");
        }
        assertThat(directory.resolve("cache")).doesNotExist();
    }

    @Test
    void whatIsThereNeedsNoYes() throws Exception {
        Files.createDirectories(cache.path("etcd-3.5"));
        FetchedServer server = FetchedServer.find(SERVER, cache, Map.of());
        assertThat(server.isThere()).isTrue();
        assertThat(server.program("etcd")).isEqualTo(cache.path("etcd-3.5").resolve("usr/bin/etcd"));
        assertThatThrownBy(() -> server.program("zetcd")).hasMessageContaining("etcd 3.5 has no program zetcd");
    }
}
