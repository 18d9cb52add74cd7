package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.ChildJvm;
import io.belay.spi.ClaimId;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories whose path is longer than the address of a socket may be: a short link leads there. */
class LongPathTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");

    @TempDir
    Path temp;

    private final FakeClock clock = new FakeClock();

    private Client open(Path directory) {
        return Client.open(directory, HOST, clock.clock());
    }

    private static void assertHandsOver(Client a, Client b) {
        ClaimId holder = a.id();
        ClaimId waiting = b.id();
        a.enter("x", holder);
        b.enter("x", waiting);
        a.leave("x", holder);
        await().until(() -> b.wasGranted(waiting));
    }

    @Test
    void aPathTooLongForASocket() {
        Path directory = temp.resolve("d".repeat(120)).resolve("e".repeat(120));
        try (Client a = open(directory);
                Client b = open(directory)) {
            assertHandsOver(a, b);
        }
    }

    /** Of a directory that nobody has asked for it would tell alone. */
    @Test
    void whereNoLinkCanBeMadeItSaysForWhatOne() throws Exception {
        Path directory = Files.createDirectory(temp.resolve("d".repeat(120)));
        try (ChildJvm child = ChildJvm.startWith(
                List.of(),
                List.of("-Djava.io.tmpdir=" + temp.resolve("none")),
                ChildJvm.classPath(Opening.class),
                Opening.class,
                directory.toString())) {
            assertThat(child.line())
                    .contains("cannot use the directory: the path of " + directory)
                    .contains("is too long for a socket", temp.resolve("none").toString(), "or set java.io.tmpdir");
        }
    }

    static final class Opening {
        private Opening() {}

        public static void main(String[] arguments) {
            try {
                Belay.connect("file:" + arguments[0]).close();
            } catch (StoreMisconfiguredException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Somebody who clears the temporary directory takes the way to all other clients from a long one. */
    @Test
    void theLinkToALongPathIsMadeAnew() throws IOException {
        Path directory = temp.resolve("d".repeat(120));
        try (Client a = open(directory);
                Client b = open(directory)) {
            List<Path> links = linksTo(directory);
            assertThat(links).hasSize(2);
            for (Path link : links) {
                Files.delete(link);
                Files.delete(link.getParent());
            }
            Files.delete(Endpoint.file(Boot.path(directory, HOST), b.number));
            b.store.regularly(session -> session.wire.checkSocket());
            await().until(() -> Files.exists(Endpoint.file(Boot.path(directory, HOST), b.number)));
            assertHandsOver(a, b);
        }
    }

    /** Where it is cleared away, somebody else may make one of that name, behind which nobody answers. */
    @Test
    void aLinkThatWasPutInThePlaceOfOursLeadsNowhere() throws IOException {
        Path directory = Files.createDirectory(temp.resolve("d".repeat(120)));
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        Files.createFile(Endpoint.file(elsewhere, 1));
        Endpoint living = new Endpoint(directory, 1, new Access(false));
        Endpoint asking = new Endpoint(directory, 2, new Access(false));
        List<Path> links = linksTo(directory);
        try (ServerSocketChannel unused = living.listen()) {
            assertThat(links).hasSize(2);
            for (Path link : links) {
                Files.delete(link);
                Files.createSymbolicLink(link, elsewhere);
            }
            assertThat(asking.probe(1)).isEqualTo(Endpoint.Outcome.CONNECTED);
        } finally {
            living.delete();
            asking.delete();
            for (Path link : links) {
                Files.deleteIfExists(link);
                Files.deleteIfExists(link.getParent());
            }
        }
    }

    private static List<Path> linksTo(Path directory) throws IOException {
        List<Path> links = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            for (Path link : all.map(path -> path.resolve("b")).toList()) {
                if (leadsTo(directory, link)) {
                    links.add(link);
                }
            }
        }
        return links;
    }

    /** Returns whether a link does so that is there: clients of other tests remove theirs. */
    private static boolean leadsTo(Path directory, Path link) throws IOException {
        try {
            return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(directory);
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
