package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.Deadlock;
import io.belay.DeadlockException;
import io.belay.DeadlockPolicy;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.StoreUnavailableException;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.servers.Pace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A client that takes locks and waits for them as it is told, a line each; in a process of its own, or in that of the test. */
final class RingClient implements AutoCloseable {
    private static final LockOptions THROWS = LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW);

    /** How an answer begins where the machine kept the store from answering in time, or this process from renewing. */
    static final String LATE = "late: ";

    /** How it begins where anything else was thrown. */
    static final String FAILED = "failed: ";

    /** What is held, and is given back. */
    private record Held(long token, Runnable release) {}

    private final Belay belay;
    private final Map<String, Actor> actors = new ConcurrentHashMap<>();
    private final Queue<Deadlock> told = new ConcurrentLinkedQueue<>();

    RingClient(String url, String name) {
        BelayListener listener = new BelayListener() {
            @Override
            public void deadlock(Deadlock deadlock) {
                told.add(deadlock);
            }
        };
        belay = Belay.connect(
                url,
                BelayOptions.defaults()
                        .withClientName(name)
                        .withListener(listener)
                        .withConnectMode(ConnectMode.LATER)); // beside others that begin, it takes its time
    }

    /** Is one client after the other, each of which begins with "connect", the store's URL and its name. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        RingClient client = null;
        for (String next = questions.readLine(); next != null; next = questions.readLine()) {
            String[] words = next.split(" ");
            if (words[0].equals("connect")) {
                client = new RingClient(words[1], words[2]);
                System.out.println(client.answer(next));
            } else if (next.equals("close")) {
                client.close();
                System.out.println("closed");
            } else {
                System.out.println(client.answer(next));
            }
        }
        Runtime.getRuntime().halt(0); // though threads still wait
    }

    /** Does what a line says, and returns what came of it; on one line. */
    String answer(String question) {
        try {
            return done(question.split(" "));
        } catch (ExecutionException e) {
            return failure(e.getCause());
        } catch (Exception e) {
            return failure(e);
        }
    }

    private static String failure(Throwable thrown) {
        boolean late = thrown instanceof StoreUnavailableException
                || (thrown instanceof LeaseLostException lost && lost.reason().equals(Optional.of(LossReason.EXPIRED)));
        return (late ? LATE : FAILED) + thrown.toString().replace('\n', ' ');
    }

    private String done(String... words) throws Exception {
        return switch (words[0]) {
            case "connect" -> {
                // The first request takes as long as a connection does, and since when a client waits is told but to
                // a round trip.
                belay.lock("first of " + words[2])
                        .tryAcquire(Pace.patience())
                        .orElseThrow()
                        .release();
                yield "connected";
            }
            case "take" -> actor(words[1]).take(words[2], words[3]);
            case "want" -> actor(words[1]).want(words[2], words[3], false);
            case "insist" -> actor(words[1]).want(words[2], words[3], true);
            case "state" -> actor(words[1]).state;
            case "release" -> actor(words[1]).release();
            case "told" ->
                told.stream()
                        .filter(deadlock -> deadlock.ring().get(0).holds().startsWith(words[1]))
                        .map(RingClient::text)
                        .collect(Collectors.joining(";"));
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private Actor actor(String name) {
        return actors.computeIfAbsent(name, Actor::new);
    }

    private static String text(Deadlock deadlock) {
        return deadlock.ring().stream()
                .map(edge -> String.join(
                        ",",
                        edge.client(),
                        edge.host(),
                        Long.toString(edge.process()),
                        edge.thread(),
                        edge.behalf(),
                        edge.holds(),
                        Long.toString(edge.token()),
                        Long.toString(edge.held().toMillis()),
                        edge.waitsFor(),
                        Long.toString(edge.waited().toMillis()),
                        Boolean.toString(edge.victim()),
                        Boolean.toString(edge.own()),
                        Boolean.toString(deadlock.permits())))
                .collect(Collectors.joining("|"));
    }

    private Held acquire(String kind, String name) throws InterruptedException {
        return switch (kind) {
            case "lock" -> held(belay.lock(name, THROWS).acquire());
            case "sticky" ->
                held(belay.lock(name, THROWS.withSticky(Duration.ofMinutes(1))).acquire());
            case "read" -> held(belay.readWriteLock(name, THROWS).readLock().acquire());
            case "write" -> held(belay.readWriteLock(name, THROWS).writeLock().acquire());
            case "multi" -> {
                MultiLease all = MultiLock.of(belay.lock(name + "-1", THROWS), belay.lock(name + "-2", THROWS))
                        .acquire();
                yield new Held(all.leases().get(0).token(), all::release);
            }
            case "reentrant" -> {
                ReentrantDistributedLock lock = belay.reentrantLock(name); // which throws if nothing else is said
                lock.lockInterruptibly();
                yield new Held(lock.lease().token(), lock::unlock);
            }
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static Held held(Lease lease) {
        return new Held(lease.token(), lease::release);
    }

    @Override
    public void close() {
        actors.values().forEach(actor -> actor.thread.shutdownNow());
        belay.close();
    }

    /** A thread. */
    private final class Actor {
        private final ExecutorService thread;
        private final Queue<Held> holds = new ConcurrentLinkedQueue<>();
        volatile String state = "idle";

        Actor(String name) {
            thread = Executors.newSingleThreadExecutor(task -> {
                Thread made = new Thread(task, name);
                made.setDaemon(true);
                return made;
            });
        }

        String take(String kind, String name) throws Exception {
            Future<Long> token = thread.submit(() -> {
                Held held = acquire(kind, name);
                holds.add(held);
                return held.token();
            });
            return Long.toString(token.get());
        }

        /** Begins to wait; who insists waits again when it is told to give up. */
        String want(String kind, String name, boolean insists) {
            state = "waits";
            thread.execute(() -> {
                long begun = System.nanoTime();
                do {
                    try {
                        holds.add(acquire(kind, name));
                        state = "held";
                        return;
                    } catch (DeadlockException e) {
                        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                        state = (insists ? "insists " : "gave-up ") + took + " " + e.getMessage();
                    } catch (BelayException e) {
                        state = failure(e);
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                } while (insists);
            });
            return state;
        }

        String release() throws Exception {
            thread.submit(() -> {
                        for (Held held = holds.poll(); held != null; held = holds.poll()) {
                            held.release().run();
                        }
                    })
                    .get();
            return "released";
        }
    }
}
