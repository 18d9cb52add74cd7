package io.belay.dashboard.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.dashboard.TestThreads;
import io.belay.servers.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is made of who holds locks: who has got one from whom, and who waits for whom. */
class SeenHoldersTest {
    private final String store = "memory:" + UUID.randomUUID();
    private final List<Belay> clients = new ArrayList<>();
    private final TestThreads threads = new TestThreads();
    private final Belay belay = client("shop-1");
    private final CountDownLatch over = new CountDownLatch(1);
    private final Reader reader = new Reader(belay.admin());

    private Belay client(String name) {
        Belay client = Belay.connect(store, BelayOptions.defaults().withClientName(name));
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() throws InterruptedException {
        threads.close();
        reader.close();
        clients.forEach(Belay::close);
    }

    private List<String> handOvers() {
        return reader.changes().newest(200).stream()
                .filter(change -> change.kind() == SeenChanges.Kind.HANDED_OVER)
                .map(change -> change.by().replaceFirst("@.*", ""))
                .toList();
    }

    @Test
    void aReaderWhoStaysIsNobodyWhoGotTheLock() throws Exception {
        Lease one = belay.readWriteLock("a").readLock().acquire();
        Lease other = client("shop-2").readWriteLock("a").readLock().acquire();
        reader.read(List.of());
        one.release();
        reader.read(List.of());
        assertThat(handOvers()).isEmpty();
        assertThat(reader.lock("a").holder().client()).isEqualTo("shop-2");
        Lease third = client("shop-3").readWriteLock("a").readLock().acquire();
        other.release();
        reader.read(List.of());
        assertThat(handOvers()).containsExactly("shop-3");
        assertThat(third.isHeld()).isTrue();
    }

    @Test
    void futuresOfOneThreadAreNoRing() throws Exception {
        Belay second = client("shop-2");
        Lease a = belay.lock("a").acquireAsync().get();
        Lease b = second.lock("b").acquireAsync().get();
        CompletableFuture<Lease> waitsForB = belay.lock("b").acquireAsync();
        CompletableFuture<Lease> waitsForA = second.lock("a").acquireAsync();
        Awaitility.await().until(() -> queue("a") == 2 && queue("b") == 2);
        for (int i = 0; i < 3; i++) {
            reader.read(List.of());
            assertThat(reader.rings()).isEmpty();
        }
        a.release();
        b.release();
        assertThat(waitsForA.get().isHeld()).isTrue();
        assertThat(waitsForB.get().isHeld()).isTrue();
    }

    @Test
    void threadsOfOneNameAreNotOneThread() throws Exception {
        Belay second = client("shop-2");
        CountDownLatch held = new CountDownLatch(2);
        threads.start("worker", () -> {
            belay.lock("a").acquire();
            held.countDown();
            over.await(); // until it is interrupted
        });
        threads.start("other", () -> {
            second.lock("b").acquire();
            held.countDown();
            held.await();
            second.lock("a").acquire();
        });
        held.await();
        threads.start("worker", () -> belay.lock("b").acquire());
        Awaitility.await().until(() -> queue("a") == 2 && queue("b") == 2);
        for (int i = 0; i < 3; i++) {
            reader.read(List.of());
            assertThat(reader.rings()).isEmpty();
        }
        // What the one notes is no ring by itself.
        Awaitility.await()
                .until(() ->
                        belay.admin().inspect("b").claims().get(0).waitsFor().isPresent());
        reader.read(List.of());
        reader.read(List.of());
        assertThat(reader.rings()).isEmpty();
    }

    /** Of two threads of a client that wait for one lock the store knows the first. */
    @Test
    void aRingBehindAnotherThreadOfItsClientIsSeen() throws Exception {
        Belay second = client("shop-2");
        CountDownLatch bIsHeld = new CountDownLatch(1);
        CountDownLatch aIsHeld = new CountDownLatch(1);
        threads.start("back", () -> {
            second.lock("b").acquire();
            bIsHeld.countDown();
            aIsHeld.await();
            second.lock("a").acquire();
        });
        bIsHeld.await();
        threads.start("ahead", () -> belay.lock("b").acquire());
        Awaitility.await().until(() -> queue("b") == 2);
        threads.start("there", () -> {
            belay.lock("a").acquire();
            aIsHeld.countDown();
            belay.lock("b").acquire();
        });
        Awaitility.await().atMost(Pace.patience()).until(() -> {
            reader.read(List.of());
            return !reader.rings().isEmpty();
        });
        assertThat(reader.rings())
                .singleElement()
                .satisfies(ring -> assertThat(ring)
                        .extracting(link -> link.who().thread() + " " + link.holds() + " " + link.waitsFor())
                        .containsExactlyInAnyOrder("there a b", "back b a"));
    }

    private int queue(String name) {
        return belay.admin().inspect(name).claims().size();
    }
}
