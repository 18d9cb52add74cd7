package io.belay.servers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("selftest")
class AptSourcesTest {
    private final AptSources sources = new AptSources(Set.of("bookworm", "stable"), "unstable");

    @Test
    void aStanzaKeepsItsPlaceAndItsKeyAndGetsTheOtherSuite() {
        assertThat(sources.stanzas("""
                        # The mirror of this house.
                        Types: deb deb-src
                        # http://example.org/older
                        URIs: http://example.org/debian
                         http://example.org/second
                        Suites: bookworm bookworm-updates
                        Components: main contrib
                        Signed-By:
                         -----BEGIN PGP PUBLIC KEY BLOCK-----
                         .
                         xyz
                        """)).isEqualTo("""
                        Types: deb
                        URIs: http://example.org/debian
                         http://example.org/second
                        Suites: unstable
                        Components: main
                        Signed-By:
                         -----BEGIN PGP PUBLIC KEY BLOCK-----
                         .
                         xyz

                        """);
    }

    @Test
    void whatIsNoReleaseOfDebiansIsLeftOut() {
        assertThat(sources.stanzas("""
                        Types: deb
                        URIs: http://example.org/debian-security
                        Suites: bookworm-security
                        Components: main

                        Types: deb
                        URIs: http://example.org/node
                        Suites: nodistro
                        Components: main

                        Types: deb
                        URIs: http://example.org/containers
                        Suites: bookworm
                        Components: edge

                        Types: deb-src
                        URIs: http://example.org/debian
                        Suites: bookworm
                        Components: main

                        Types: deb
                        URIs: http://example.org/debian
                        Suites: bookworm
                        Components: main
                        Enabled: no
                        """)).isEmpty();
    }

    @Test
    void aLineKeepsItsOptionsAndIsTakenOnce() {
        assertThat(sources.lines("""
                        # deb http://example.org/commented bookworm main
                        deb-src http://example.org/debian bookworm main
                        deb [signed-by=/k.gpg arch=amd64] http://example.org/debian bookworm contrib main # ours
                        deb http://example.org/other   stable main
                        deb http://example.org/other bookworm main
                        deb http://example.org/debian bookworm-updates main
                        deb http://example.org/containers bookworm edge
                        """)).isEqualTo("""
                        deb [signed-by=/k.gpg arch=amd64] http://example.org/debian unstable main
                        deb http://example.org/other unstable main
                        """);
    }

    @Test
    void bothFormatsAreReadAndTheFileThatIsDisabledIsNot(@TempDir Path etc) throws Exception {
        Path parts = Files.createDirectory(etc.resolve("sources.list.d"));
        Files.writeString(etc.resolve("sources.list"), "deb http://example.org/a bookworm main\n");
        Files.writeString(
                parts.resolve("debian.sources"),
                "Types: deb\nURIs: http://example.org/b\nSuites: bookworm\nComponents: main\n");
        Files.writeString(parts.resolve("old.list.disabled"), "deb http://example.org/c bookworm main\n");
        Path target = Files.createDirectory(etc.resolve("target"));

        sources.rewrite(etc, target);

        assertThat(target.resolve("fetch.list")).hasContent("deb http://example.org/a unstable main");
        assertThat(target.resolve("fetch.sources"))
                .content()
                .contains("http://example.org/b", "Suites: unstable")
                .doesNotContain("bookworm");
    }

    @Test
    void whoHasNoSourceIsToldWhichReleasesWereLookedFor(@TempDir Path etc) {
        assertThatThrownBy(() -> sources.rewrite(etc, etc))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("no package source of", "bookworm", etc.toString());
    }
}
