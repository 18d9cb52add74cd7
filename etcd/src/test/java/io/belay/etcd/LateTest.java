package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Proof;
import io.belay.servers.TcpProxy;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes too late at a real etcd: leases after an outage, requests that were held back, waiters that have gone. */
@Tag("consensus")
@Tag("long")
class LateTest {
    private EtcdServer etcd;

    @BeforeEach
    void start() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        etcd = EtcdServer.start();
    }

    @AfterEach
    void end() {
        etcd.close();
    }

    private static Belay client(String name, String url, Duration lease) {
        return Belay.connect(
                url,
                BelayOptions.defaults()
                        .withClientName(name)
                        .withLockDefaults(LockOptions.defaults().withLease(lease)));
    }

    private String url() {
        return "etcd://127.0.0.1:" + etcd.port();
    }

    /** etcd gives its leases their whole time anew when it comes back; clients have long since made others. */
    @Test
    void anOutageLongerThanALeaseMakesNoTwoHolders() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong last = new AtomicLong();
        AtomicInteger turns = new AtomicInteger();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Lease> held = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        List<Belay> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Belay belay = client("client " + i, url(), Duration.ofSeconds(2));
            clients.add(belay);
            Thread thread = new Thread(() -> {
                while (!over.get()) {
                    try (Lease lease = belay.lock("x").acquire()) {
                        if (lease.token() <= last.getAndSet(lease.token()) && lease.isHeld()) {
                            wrong.add("token " + lease.token() + " after a higher one");
                        }
                        held.add(lease);
                        for (int look = 0; look < 30 && lease.isHeld(); look++) {
                            List<Lease> now =
                                    held.stream().filter(Lease::isHeld).toList();
                            if (now.size() > 1 && now.stream().allMatch(Lease::isHeld)) {
                                wrong.add("holders: " + now);
                            }
                            TimeUnit.MILLISECONDS.sleep(5);
                        }
                        held.remove(lease);
                        turns.incrementAndGet();
                    } catch (BelayException e) {
                        // the outage; it tries again
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (int outage = 0; outage < Proof.times(1, 3); outage++) {
            int before = turns.get();
            await().until(() -> turns.get() > before + 5);
            etcd.kill();
            TimeUnit.MILLISECONDS.sleep(4_500);
            etcd.restart();
        }
        int before = turns.get();
        await().until(() -> turns.get() > before + 20);
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        clients.forEach(Belay::close);
        assertThat(wrong).isEmpty();
    }

    /** The same few keys are used again and again: a delete that was held back must find another claim's in its place. */
    @Test
    void aDeleteThatComesLateEndsNoOtherClaim() throws Exception {
        try (TcpProxy first = TcpProxy.to(etcd);
                TcpProxy second = TcpProxy.to(etcd);
                Belay belay = client(
                        "late",
                        "etcd://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port() + "?timeout=300ms",
                        Duration.ofSeconds(30));
                Belay other = client("other", url(), Duration.ofSeconds(30))) {
            other.lock("warm").acquire().close(); // its first request takes longer than it is to wait below
            for (int round = 0; round < 3; round++) {
                Lease before = belay.lock("x").acquire();
                first.silenceRequests();
                before.release();
                Lease lease = persistently(belay);
                first.pass();
                // Where etcd's disk is busy, a second may pass without an answer.
                assertThat(Premise.answered(() -> other.lock("x").tryAcquire(Duration.ofSeconds(1))))
                        .as("round " + round)
                        .isEmpty();
                assertThat(lease.isHeld()).as("round " + round).isTrue();
                lease.release();
            }
        }
    }

    /** Made while its network is cut, a connection is greeted never, also when that is mended. */
    @Test
    void aConnectionThatIsNeverGreetedIsGivenUp() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(etcd);
                Belay belay =
                        client("cut", "etcd://127.0.0.1:" + proxy.port() + "?timeout=300ms", Duration.ofSeconds(30))) {
            belay.lock("x").acquire().close();
            proxy.silence();
            int before = proxy.accepted();
            await().until(() -> {
                var unused = catchThrowable(() -> belay.lock("x").tryAcquire());
                return proxy.accepted() > before;
            });
            proxy.halfOpen();
            proxy.pass();
            persistently(belay).release();
        }
    }

    /** Some of its requests go where nothing comes through. */
    private static Lease persistently(Belay belay) throws InterruptedException {
        while (true) {
            try {
                return belay.lock("x").acquire();
            } catch (StoreUnavailableException e) {
                // it tries again
            }
        }
    }

    /** Each enters by itself, one after the other; of the permits, which are free, who has not entered in time knows nothing. */
    @Test
    void ofManyWhoTakePermitsThoseWhoDidNotEnterInTimeAreToldThatNothingWasAnswered() throws Exception {
        try (TcpProxy far = TcpProxy.to(etcd);
                Belay belay = client("many", far.url(), Duration.ofSeconds(30))) {
            belay.lock("warm").acquire().close();
            DistributedSemaphore permits = belay.semaphore("x", 100);
            far.delayReplies(Duration.ofMillis(100));
            List<CompletableFuture<Optional<Lease>>> tries = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                tries.add(permits.permits(1).tryAcquireAsync(Duration.ofMillis(500)));
            }
            int unanswered = 0;
            for (CompletableFuture<Optional<Lease>> one : tries) {
                try {
                    assertThat(one.get(Pace.seconds(), TimeUnit.SECONDS)).isPresent();
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
                    unanswered++;
                }
            }
            assertThat(unanswered).isPositive();
        }
    }

    @Test
    void whoGivesUpBeforeItsFirstLeaseIsGrantedLeavesNothing() throws Exception {
        try (Belay other = client("other", url(), Duration.ofSeconds(30))) {
            for (int round = 0; round < 30; round++) {
                try (Belay fresh = client("fresh", url(), Duration.ofSeconds(30))) {
                    String name = "x" + round;
                    Thread thread = new Thread(() -> {
                        try {
                            fresh.lock(name).acquire().close();
                        } catch (InterruptedException | BelayException e) {
                            // as it was asked to
                        }
                    });
                    thread.start();
                    TimeUnit.MICROSECONDS.sleep(300L * round);
                    thread.interrupt();
                    thread.join();
                    assertThat(other.lock(name).tryAcquire(Duration.ofSeconds(10)))
                            .as("after " + 300 * round + " us")
                            .isPresent();
                }
            }
        }
    }

    /** The same where it is sure to give up between its lease's grant and the answer. */
    @Test
    void whoGivesUpWhileItsFirstLeaseIsGrantedLeavesNothing() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (TcpProxy slow = TcpProxy.to(etcd);
                    Belay fresh = client("fresh", slow.url(), Duration.ofSeconds(30));
                    Belay other = client("other", url(), Duration.ofSeconds(30))) {
                String name = "y" + round;
                slow.silenceReplies();
                Thread thread = new Thread(() -> {
                    try {
                        fresh.lock(name).acquire().close();
                    } catch (InterruptedException | BelayException e) {
                        // as it was asked to
                    }
                });
                thread.start();
                TimeUnit.MILLISECONDS.sleep(200);
                thread.interrupt();
                TimeUnit.MILLISECONDS.sleep(200);
                slow.pass();
                thread.join();
                assertThat(other.lock(name).tryAcquire(Duration.ofSeconds(10))).isPresent();
            }
        }
    }

    /** It takes connections and does not greet: all that waits for one would be sent when it goes on. */
    @Test
    void whatAStoppedServerIsAskedDoesNotWaitForItToGoOn() throws Exception {
        ByteSequence key = ByteSequence.from("x", StandardCharsets.UTF_8);
        try (Connection connection = EtcdStoreProvider.connect(EtcdUrl.parse(url() + "?timeout=200ms"), true)) {
            KV kv = connection.client().getKVClient();
            for (int i = 0; i < 3; i++) {
                kv.get(key).get(Pace.seconds(), TimeUnit.SECONDS);
            }
            etcd.stop();
            try {
                List<CompletableFuture<?>> asked = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    asked.add(kv.get(key));
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                await().until(() -> asked.stream().allMatch(CompletableFuture::isCompletedExceptionally));
            } finally {
                etcd.resume();
            }
            await().ignoreExceptions()
                    .until(() ->
                            kv.get(key).get(Pace.seconds(), TimeUnit.SECONDS).getCount() == 0);
        }
    }

    /** Its watch was to look back to when it queued up, which etcd has forgotten. */
    @Test
    void whoKeepsALockHearsOfOthersAlsoWhereItsHistoryWasCompacted() throws Exception {
        LockOptions sticky = LockOptions.defaults().withSticky(Duration.ofMinutes(5));
        try (Belay first = client("first", url(), Duration.ofSeconds(30));
                Belay keeper = client("keeper", url(), Duration.ofSeconds(30));
                Belay other = client("other", url(), Duration.ofSeconds(30))) {
            Lease held = first.lock("x").acquire();
            CompletableFuture<Lease> waiting = keeper.lock("x", sticky).acquireAsync();
            await().until(() -> first.admin().inspect("x").claims().size() == 2);
            for (int i = 0; i < 3; i++) {
                first.lock("y").acquire().close();
            }
            compact();
            held.release();
            waiting.get(Pace.seconds(), TimeUnit.SECONDS).release();
            TimeUnit.SECONDS.sleep(2); // so that the watch has ended, and has begun anew
            assertThat(other.lock("x").tryAcquire(Duration.ofSeconds(10))).isPresent();
        }
    }

    /** Lets etcd forget all that was before now. */
    private void compact() throws Exception {
        try (Client client =
                Client.builder().endpoints("http://127.0.0.1:" + etcd.port()).build()) {
            KV kv = client.getKVClient();
            long now = kv.get(ByteSequence.from("x", StandardCharsets.UTF_8))
                    .get(Pace.seconds(), TimeUnit.SECONDS)
                    .getHeader()
                    .getRevision();
            kv.compact(now).get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void theDoctorSeesAHistoryThatOnlyGrows() throws Exception {
        EtcdUrl parsed = EtcdUrl.parse(url());
        try (Belay belay = client("busy", url(), Duration.ofSeconds(30))) {
            for (int i = 0; i < 60; i++) {
                belay.lock("x").acquire().close();
            }
        }
        try (Connection connection = EtcdStoreProvider.connect(parsed, true)) {
            assertThat(Examination.history(connection, parsed, 100))
                    .hasValueSatisfying(finding -> assertThat(finding.cure()).contains("auto-compaction"));
            connection.client().getKVClient().compact(110).get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(Examination.history(connection, parsed, 100)).isEmpty();
            assertThat(Examination.history(connection, parsed, 1_000_000)).isEmpty();
        }
    }
}
