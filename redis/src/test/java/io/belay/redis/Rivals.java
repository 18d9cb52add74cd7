package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.servers.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Clients that take locks by turns and change something under each, all the while: what they protect by the token must
 * not suffer, whatever happens to the servers; that there are never two at once, is to be had where no write is lost.
 */
final class Rivals implements AutoCloseable {
    private final List<String> names;
    private final Map<String, Guarded> guarded = new ConcurrentHashMap<>();
    private final AtomicInteger holds = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();
    private final List<Future<?>> all = new ArrayList<>();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private volatile boolean ending;

    /** What a lock protects: it takes nothing from whoever comes with a token below the highest it has seen. */
    private static final class Guarded {
        long token;
        int value;
        int written;
        int lost;

        @Nullable
        Lease holder;

        /** Raises before it reads; -1 if the token is too old. */
        synchronized int read(Lease lease) {
            if (lease.token() < token) {
                return -1;
            }
            token = lease.token();
            return value;
        }

        synchronized boolean write(Lease lease, int seen) {
            if (lease.token() != token) {
                return false;
            }
            lost += value == seen ? 0 : 1;
            value = seen + 1;
            written++;
            return true;
        }
    }

    Rivals(List<Belay> clients, String... names) {
        this.names = List.of(names);
        for (Belay client : clients) {
            for (String name : names) {
                all.add(pool.submit(
                        () -> work(client.lock(name), guarded.computeIfAbsent(name, key -> new Guarded()))));
            }
        }
    }

    List<String> names() {
        return names;
    }

    private void work(DistributedLock lock, Guarded object) {
        long last = 0;
        while (!ending) {
            try (Lease lease = lock.acquire()) {
                assertThat(lease.token()).as("tokens of " + lock.name()).isGreaterThan(last);
                last = lease.token();
                hold(lease, object);
                holds.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            } catch (BelayException e) {
                // The store was not there for longer than a request may take, or went back.
                stale.incrementAndGet();
            }
        }
    }

    private void hold(Lease lease, Guarded object) throws InterruptedException {
        Lease before;
        synchronized (object) {
            before = object.holder;
            object.holder = lease;
        }
        if (before != null && before.isHeld() && lease.isHeld()) {
            overlaps.incrementAndGet();
            // Whoever was first is told so, at its deadline if not before.
            await().until(() -> !before.isHeld());
        }
        int seen = object.read(lease);
        TimeUnit.MICROSECONDS.sleep(500);
        boolean written = seen >= 0 && object.write(lease, seen);
        synchronized (object) {
            if (object.holder == lease) {
                object.holder = null;
            }
        }
        if (!lease.isHeld()) {
            losses.incrementAndGet();
        } else if (!written) {
            stale.incrementAndGet();
        }
    }

    /** Waits until under each name there was so much more to do. */
    void awaitMore(int holdsOfEach) {
        Map<String, Integer> before = new ConcurrentHashMap<>();
        guarded.forEach((name, object) -> before.put(name, object.written));
        await().until(() -> {
            all.stream().filter(Future::isDone).forEach(Rivals::joined);
            return names.stream().allMatch(name -> {
                Guarded object = guarded.get(name);
                return object != null && object.written >= before.getOrDefault(name, 0) + holdsOfEach;
            });
        });
    }

    private static void joined(Future<?> future) {
        try {
            future.get(Pace.seconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Lets all come to an end; nobody is stuck. */
    void end() {
        ending = true;
        all.forEach(Rivals::joined);
    }

    int losses() {
        return losses.get();
    }

    int overlaps() {
        return overlaps.get();
    }

    /** How often a holder was refused, or a store was not there for longer than a request may take. */
    int stale() {
        return stale.get();
    }

    /** What is guarded has taken every write exactly once. */
    void assertGuarded() {
        System.out.println(holds + " holds, " + losses + " lost, " + overlaps + " overlapped, " + stale + " refused");
        guarded.forEach((name, object) -> {
            assertThat(object.lost).as("updates of %s that were lost", name).isZero();
            assertThat(object.value).isEqualTo(object.written);
        });
    }

    @Override
    public void close() {
        ending = true;
        pool.shutdownNow();
    }
}
