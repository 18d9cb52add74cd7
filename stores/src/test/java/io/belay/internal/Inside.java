package io.belay.internal;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.spi.StoreOpener;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a simulation of whole clients has to get at that only this package may: their clocks and threads, and what they believe. */
public final class Inside {
    /** The clocks and threads of the process that a client runs in. */
    public interface Process {
        long nanos();

        long wallMillis();

        Thread start(String name, Runnable body);

        void park(long nanos);

        void unpark(@Nullable Thread thread);
    }

    private record Clocks(Process process) implements Time {
        @Override
        public long nanos() {
            return process.nanos();
        }

        @Override
        public long wallMillis() {
            return process.wallMillis();
        }
    }

    private record Runners(Process process) implements Threads {
        @Override
        public Thread start(String name, Runnable body) {
            return process.start(name, body);
        }

        @Override
        public void park(Object blocker) {
            process.park(Long.MAX_VALUE);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            process.park(nanos);
        }

        @Override
        public void unpark(@Nullable Thread thread) {
            process.unpark(thread);
        }
    }

    private Inside() {}

    public static Belay open(LongSupplier numbers, BelayOptions options, Process process, StoreOpener opener) {
        return Client.open(numbers, options, new Clocks(process), new Runners(process), opener, true);
    }

    /** How many gates and claims a client has. */
    public static int size(Belay client) {
        Client inside = (Client) client;
        return inside.engine().gates.size() + inside.engine().size();
    }

    /** How many timers a client has. */
    public static int timers(Belay client) {
        return ((Client) client).engine().timers.size();
    }

    /** For how long a client does not hold a missing answer against its store, in nanoseconds. */
    public static long patience(Belay client) {
        return ((Client) client).engine().patience();
    }

    /** Runs something in which the present thread finds the methods of that name as they are. */
    public static <T> T asItIs(String method, Supplier<T> what) {
        Original mine = new Original(Thread.currentThread(), method);
        boolean first = ORIGINALS.add(mine);
        try {
            return what.get();
        } finally {
            if (first) {
                ORIGINALS.remove(mine);
            }
        }
    }

    public static void asItIs(String method, Runnable what) {
        asItIs(method, () -> {
            what.run();
            return method;
        });
    }

    /** Whether a method that is replaced is to run as it is. */
    public static boolean isOriginal(String method) {
        return !ORIGINALS.isEmpty() && ORIGINALS.contains(new Original(Thread.currentThread(), method));
    }

    private record Original(Thread thread, String method) {}

    private static final Set<Original> ORIGINALS = new HashSet<>();
}
