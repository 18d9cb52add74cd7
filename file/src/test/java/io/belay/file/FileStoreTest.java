package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "", "");

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock();

    private Client open() {
        return Client.open(directory, HOST, clock.clock());
    }

    @Test
    void aReleaseIsPushedToTheNext() {
        try (Client a = open();
                Client b = open()) {
            ClaimId first = a.id();
            ClaimId second = b.id();
            assertThat(a.enter("x", first).state()).isEqualTo(Answer.State.GRANTED);
            Answer waiting = b.enter("x", second);
            assertThat(waiting.state()).isEqualTo(Answer.State.WAITING);
            Answer left = a.leave("x", first);
            assertThat(left.state()).isEqualTo(Answer.State.LEFT);
            await().until(() -> b.wasGranted(second));
            assertThat(b.pushes)
                    .containsExactly(
                            Push.granted("x", second, waiting.sequence(), left.time(), left.time() + Resource.PICK_UP));
        }
    }

    @Test
    void aClientIsPushedItsOwnGrantsByAThreadOfTheStore() {
        try (Client a = open()) {
            ClaimId first = a.id();
            ClaimId second = a.id();
            a.enter("x", first);
            a.enter("x", second);
            a.leave("x", first);
            await().until(() -> a.wasGranted(second));
        }
    }

    @Test
    void aGrantWhosePushWasLostIsRemembered() {
        try (Client a = open();
                Client b = open()) {
            ClaimId first = a.id();
            ClaimId second = b.id();
            a.enter("x", first);
            b.enter("x", second);
            a.store.regularly(
                    session -> session.areas.provideFor(() -> session.table.run(Request.Leave.of("x", first, false))));
            assertThat(b.wasGranted(second)).isFalse();
            b.store.regularly(session -> session.scanner.remind(session.areas));
            await().until(() -> b.wasGranted(second));
        }
    }

    @Test
    void aLookForALostPushThatFailsIsMadeAgain() throws Exception {
        Path noDirectory = Files.createFile(directory.resolveSibling(directory.getFileName() + ".file"));
        try (Client a = open();
                Client b = open();
                Client c = open()) {
            ClaimId first = a.id();
            ClaimId second = b.id();
            a.enter("x", first);
            b.enter("x", second);
            // By somebody whose area the other has not mapped.
            c.store.regularly(
                    session -> session.areas.provideFor(() -> session.table.run(Request.Leave.of("x", first, false))));
            b.store.regularly(session -> session.scanner.remind(new Areas(session.table, noDirectory)));
            assertThat(b.wasGranted(second)).isFalse();
            b.store.regularly(session -> session.scanner.remind(session.areas));
            await().until(() -> b.wasGranted(second));
        } finally {
            Files.delete(noDirectory);
        }
    }

    @Test
    void remindersOfManyWaitersComeToAnEnd() {
        try (Client a = open()) {
            for (int i = 0; i < 3_000; i++) {
                a.enter("x" + i % 1_000, a.id());
            }
            for (int i = 0; i < 3; i++) {
                a.store.regularly(session -> session.scanner.remind(session.areas));
            }
            assertThat(a.pushes).isEmpty();
        }
    }

    /** Nobody else tells a holder that its lock was taken away: it would learn of it by its next renewal, a third of its lease later. */
    @Test
    void whatACloserHasStillToTellIsTold() {
        CountDownLatch goOn = new CountDownLatch(1);
        Client a = open();
        try (Client b = open();
                Client c = open()) {
            ClaimId taken = b.id();
            b.enter("x", taken);
            a.holdUp(goOn);
            ClaimId first = c.id();
            ClaimId second = a.id();
            c.enter("y", first);
            a.enter("y", second);
            c.leave("y", first);
            await().until(() -> a.wasGranted(second)); // there the thread stays that talks to others
            a.send(Request.Evict.of("x"));
            a.close();
            assertThat(b.wasEnded(taken)).isFalse();
            goOn.countDown();
            await().until(() -> b.wasEnded(taken));
        }
    }

    @Test
    void aGrantForOneThatHasLeftGoesOnToTheNext() {
        Client a = open();
        try (Client b = open();
                Client c = open()) {
            ClaimId holder = b.id();
            b.enter("x", holder);
            a.enter("x", a.id());
            ClaimId last = c.id();
            c.enter("x", last);
            a.close();
            b.leave("x", holder);
            await().until(() -> c.wasGranted(last));
        }
    }

    @Test
    void filesHaveTheSameNamesInEveryLocale() throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try (Client a = open()) {
            assertThat(files()).contains(HexFormat.of().toHexDigits(a.number) + ".area0");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anInterruptKeepsNoThreadBusy() {
        try (Client a = open();
                Client b = open()) {
            List<Thread> wires = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("belay-file-wire"))
                    .toList();
            wires.forEach(Thread::interrupt);
            await().until(() -> wires.stream().noneMatch(Thread::isInterrupted));
            ClaimId first = a.id();
            ClaimId second = b.id();
            a.enter("x", first);
            b.enter("x", second);
            a.leave("x", first);
            await().until(() -> b.wasGranted(second));
        }
    }

    @Test
    void aClientWhoseSocketWasDeletedIsNotTakenForDeadAndListensAnew() throws IOException {
        try (Client a = open();
                Client b = open()) {
            ClaimId claim = a.id();
            a.enter("x", claim);
            Path boot = boot();
            Files.delete(Endpoint.file(boot, a.number));
            try (Client c = open()) {
                assertThat(c.inspect("x").resource().orElseThrow().granted()).isEqualTo(1);
            }
            a.store.regularly(session -> session.wire.checkSocket());
            await().until(() -> Files.exists(Endpoint.file(boot, a.number)));
            ClaimId waiting = a.id();
            ClaimId other = b.id();
            a.leave("x", claim);
            b.enter("x", other);
            a.enter("x", waiting);
            b.leave("x", other);
            await().until(() -> a.wasGranted(waiting));
        }
    }

    @Test
    void nothingIsLeftOfManyNames() throws IOException {
        try (Client a = open();
                Client b = open()) {
            long size = 0;
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 20_000; i++) {
                    Client client = i % 3 == 0 ? b : a;
                    ClaimId id = client.id();
                    client.enter("name-" + round + "-" + i, id);
                    client.leave("name-" + round + "-" + i, id);
                }
                clock.advance(Resource.MEMORY + 1);
                for (Client client : List.of(a, b, a, b)) {
                    client.store.regularly(session -> session.reaper.sweep());
                }
                try (Stream<Path> all = Files.walk(directory)) {
                    long now = all.mapToLong(path -> path.toFile().length()).sum();
                    assertThat(now).isLessThanOrEqualTo(round == 0 ? Long.MAX_VALUE : size);
                    size = now;
                }
            }
            a.store.regularly(session -> {
                for (int bucket = 0; bucket < RootTable.BUCKETS; bucket++) {
                    assertThat(Head.isEmpty(session.table.rootTable.head(bucket)))
                            .isTrue();
                }
            });
        }
        assertThat(files()).containsExactly("heads");
    }

    @Test
    void theSweepExpiresAndGrantsToo() {
        try (Client a = open();
                Client b = open()) {
            ClaimId waiting = b.id();
            a.enter("x", a.id());
            clock.advance(Client.LEASE / 2);
            b.enter("x", waiting);
            clock.advance(Client.LEASE / 2);
            b.store.regularly(session -> session.reaper.sweep());
            await().until(() -> b.wasGranted(waiting));
        }
    }

    @Test
    void tooManyClaimsAreRefusedInWords() {
        try (Client a = open()) {
            List<ClaimId> entered = new ArrayList<>();
            a.store.regularly(FileStoreTest::fill);
            assertThatThrownBy(() -> {
                        while (true) {
                            ClaimId id = a.id();
                            a.enter("x", id);
                            entered.add(id);
                        }
                    })
                    .isInstanceOf(StoreException.class)
                    .hasMessageMatching("x has \\d+ claims, and file: has no room for more in 4 MB: .*");
            assertThat(entered).isNotEmpty();
            assertThat(a.leave("x", entered.get(0)).state()).isEqualTo(Answer.State.LEFT);
        }
    }

    /** Puts almost as much as there is room for into the bucket of x. */
    private static void fill(ClientSession session) {
        List<Resource.Tombstone> many = new ArrayList<>();
        for (int i = 0; i < Table.ENOUGH / 24 - 12; i++) {
            many.add(Resource.Tombstone.of(ClaimId.of(1, i), Long.MAX_VALUE));
        }
        Change fill = (document, now) -> {
            document.put(
                    -1,
                    ResourceNames.bytes("x"),
                    Resource.of(0, Resource.WHOLE).withTombstones(many).withKeepUntil(now));
            return true;
        };
        session.areas.provideFor(() -> {
            session.table.change(ResourceNames.bucket(ResourceNames.bytes("x")), fill);
            return session;
        });
    }

    @Test
    void interruptedThreadsBreakNothing() throws InterruptedException {
        try (Client a = open();
                Client b = open()) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger granted = new AtomicInteger();
            List<Throwable> failures = new ArrayList<>();
            CountDownLatch ready = new CountDownLatch(4);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Client client = i % 2 == 0 ? a : b;
                int own = i;
                Thread thread = new Thread(() -> {
                    ready.countDown();
                    try {
                        for (int k = 0; !done.get(); k++) {
                            cycle(client, "x", inside, granted);
                            cycle(client, "other-" + own + "-" + k, new AtomicInteger(), granted);
                        }
                    } catch (RuntimeException | Error e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            ready.await();
            for (int i = 0; granted.get() < 30_000 && failures.isEmpty(); i++) {
                threads.get(i % 4).interrupt();
            }
            done.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            ClaimId holder = a.id();
            ClaimId waiting = b.id();
            await().until(() -> a.inspect("x").resource().orElseThrow().claims().isEmpty());
            a.enter("x", holder);
            b.enter("x", waiting);
            a.leave("x", holder);
            await().until(() -> b.wasGranted(waiting));
        }
    }

    /** Enters, works if granted at once, and leaves; never clears the interrupt. */
    private static void cycle(Client client, String name, AtomicInteger inside, AtomicInteger granted) {
        ClaimId id = client.id();
        Request.Enter enter = Request.Enter.of(name, id, ClaimSpec.whole(Client.LEASE), 0, Client.OWNER);
        Answer answer = client.store.send(enter).toCompletableFuture().join();
        if (answer.state() == Answer.State.GRANTED) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            inside.decrementAndGet();
            granted.incrementAndGet();
        }
        client.store
                .send(Request.Leave.of(name, id, false))
                .toCompletableFuture()
                .join();
    }

    @Test
    void aClosedStoreRefuses() {
        Client a = open();
        a.close();
        a.close();
        assertThatThrownBy(() -> a.enter("x", a.id()))
                .isInstanceOf(StoreException.class)
                .hasMessage("the store is closed");
    }

    @Test
    void namesOfEveryLengthAndScript() {
        try (Client a = open();
                Client b = open()) {
            for (String name : List.of("x", "名".repeat(170), "n".repeat(512), "n".repeat(ResourceNames.MAX))) {
                ClaimId holder = a.id();
                ClaimId waiting = b.id();
                a.enter(name, holder);
                b.enter(name, waiting);
                a.leave(name, holder);
                await().until(() ->
                        b.pushes.stream().anyMatch(push -> push.resource().equals(name)));
            }
            assertThatThrownBy(() -> a.enter("n".repeat(ResourceNames.MAX + 1), a.id()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("4097 bytes");
        }
    }

    private Path boot() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private List<String> files() throws IOException {
        return DirectoryFiles.list(boot(), null);
    }
}
