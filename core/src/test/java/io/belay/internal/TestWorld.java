package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.internal.primitive.Lock;
import io.belay.internal.time.Timers;
import io.belay.memory.MemoryWorld;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Several clients on one store, with clocks that only the test moves, everything on the test's thread. */
final class TestWorld {
    static final Duration LEASE = Duration.ofSeconds(30);

    final ManualTime time = new ManualTime();
    final MemoryWorld store = new MemoryWorld(time::micros);
    final WorldThreads threads = new WorldThreads(this);
    private final List<Node> nodes = new ArrayList<>();

    /** A client, its line to the store, and its keeper. */
    record Node(Client client, AtomicReference<FaultyStore> present) {
        FaultyStore line() {
            return present.get();
        }

        Engine engine() {
            return client.engine();
        }

        int size() {
            return left(client);
        }

        /** For how many threads and locks levels are counted. */
        int levels() {
            return client.counts.locks().size()
                    + client.counts.readers().size()
                    + client.counts.writers().size();
        }

        Lock lock(String name) {
            return (Lock) client.lock(name);
        }

        Lock lock(String name, LockOptions options) {
            return (Lock) client.lock(name, options);
        }

        /** How many times it was sent so far that a claim of that resource leaves. */
        long leaves(String resource) {
            return line().sent.stream()
                    .filter(request -> request instanceof Request.Leave
                            && request.resource().equals(resource))
                    .count();
        }

        /** How many requests of that kind were sent so far. */
        long sent(Class<? extends Request> kind) {
            return line().sent.stream().filter(kind::isInstance).count();
        }
    }

    /** How many gates, claims and backlogs a client has; 0 where nothing is left behind. */
    static int left(Client client) {
        return client.engine().gates.size()
                + keepers(client).size()
                + client.engine().size();
    }

    private static Map<?, ?> keepers(Client client) {
        try {
            Field gates = Client.class.getDeclaredField("gates");
            gates.setAccessible(true);
            Field keepers = Gates.class.getDeclaredField("keepers");
            keepers.setAccessible(true);
            return (Map<?, ?>) keepers.get(gates.get(client));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The lease that a future must have by now. */
    static Lease held(CompletableFuture<Lease> future) {
        assertThat(future).isCompleted();
        return future.join();
    }

    Node client() {
        return client(BelayOptions.defaults());
    }

    Node client(BelayOptions options) {
        AtomicLong numbers = new AtomicLong(nodes.size() + 1);
        AtomicReference<FaultyStore> line = new AtomicReference<>();
        Client client = Client.open(
                () -> numbers.getAndAdd(1_000),
                options.withClientName("client-" + numbers)
                        .withCallbackExecutor(options.callbackExecutor().orElse(Runnable::run)),
                time,
                threads,
                (number, listener) -> {
                    line.set(new FaultyStore(store, number, listener));
                    return line.get();
                },
                false);
        Node node = new Node(client, line);
        nodes.add(node);
        return node;
    }

    /** Lets time pass; every timer of every client fires at its instant. */
    void pass(Duration duration) {
        long end = time.nanos() + duration.toNanos();
        while (true) {
            long next = Long.MAX_VALUE;
            for (Node node : nodes) {
                next = Math.min(next, node.engine().timers.run());
            }
            if (next > end) {
                break;
            }
            time.advanceTo(Math.max(next, time.nanos()));
        }
        time.advanceTo(end);
        nodes.forEach(node -> node.engine().timers.run());
    }

    /** Has something done by the test's thread after that time, while it waits. */
    void at(Duration later, Runnable what) {
        nodes.get(0).engine().timers.schedule(Timers.Timer.of(what), time.nanos() + later.toNanos());
    }

    /** Has that method, as in {@code "Gate.begin"}, throw an error where it looks at the clock, after so many looks. */
    void failIn(String method, int looks) {
        time.atNextLook = () -> {
            boolean there = isIn(method);
            if (there && looks == 0) {
                throw new NoClassDefFoundError("thrown by the test");
            }
            failIn(method, there ? looks - 1 : looks);
        };
    }

    private static boolean isIn(String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .anyMatch(name -> name.endsWith("." + method)));
    }

    /** Adds to that number, from now on, how often the clock is looked at in such a method. */
    void countLooksIn(String method, AtomicInteger looks) {
        time.atNextLook = () -> {
            looks.addAndGet(isIn(method) ? 1 : 0);
            countLooksIn(method, looks);
        };
    }

    /** Lets time pass while nobody's keeper runs: the processes were stopped. */
    void freeze(Duration duration) {
        time.advanceTo(time.nanos() + duration.toNanos());
    }

    List<Claim> claims(String name) {
        return store.inspect(name).resource().map(Resource::claims).orElse(List.of());
    }
}
