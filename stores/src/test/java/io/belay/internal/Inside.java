package io.belay.internal;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.simulation.Hooks;
import io.belay.simulation.Switch;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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

    private static Mutant mutant = new Mutant() {};

    private Inside() {}

    public static Belay open(
            long number, BelayOptions options, Process process, Function<Store.Listener, Store> opener) {
        return Client.open(number, options, new Clocks(process), new Runners(process), opener, true);
    }

    /** What {@link Lease#isHeld} would say, without doing anything about it. */
    public static boolean isHeld(Lease lease, long now) {
        Hold hold = (Hold) lease;
        return !hold.isGivenBack()
                && hold.loss() == null
                && hold.claim().belief().until() - now > 0
                && (hold.limit == Long.MAX_VALUE || hold.limit - now > 0)
                && !hold.claim().isUnsure(now);
    }

    /** Whether it is lost and cannot be held again. */
    public static boolean isLost(Lease lease, long now) {
        Hold hold = (Hold) lease;
        return hold.loss() != null
                || (!hold.isGivenBack() && hold.claim().belief().until() - now <= 0);
    }

    /** For how long it runs, in nanoseconds. */
    public static long left(Lease lease, long now) {
        return ((Hold) lease).claim().belief().until() - now;
    }

    /** How it stands, in words. */
    public static String describe(Lease lease, long now) {
        Hold hold = (Hold) lease;
        Belief belief = hold.claim().belief();
        return belief.phase() + " as " + belief.sequence() + " for " + (belief.until() - now) / 1000 + " us";
    }

    /** By which claim it is held. */
    public static ClaimId claim(Lease lease) {
        return ((Hold) lease).claim().id();
    }

    /** Under which sequence that claim is believed to be held. */
    public static long sequence(Lease lease) {
        return ((Hold) lease).claim().belief().sequence();
    }

    /** Why it is lost; null if it is not. */
    public static @Nullable String loss(Lease lease) {
        LeaseLostException loss = ((Hold) lease).loss();
        return loss == null ? null : loss.getMessage();
    }

    /** How many gates and claims a client has. */
    public static int size(Belay client) {
        return ((Client) client).size();
    }

    /** How many timers a client has. */
    public static int timers(Belay client) {
        return ((Client) client).engine().timers().size();
    }

    // What Exclusive calls instead of its own.

    /** Takes the lock of a gate. */
    public static void acquire(StepLock lock, int one) {
        Hooks.acquire(lock, () -> lock.tryAcquire(one));
    }

    /** Gives the lock of a gate back. */
    public static boolean release(StepLock lock, int one) {
        lock.tryRelease(one);
        Hooks.released(lock);
        return true;
    }

    // The protocol's rules, of which one may be taken out.

    /** The request that the store runs in the place of one. */
    public static Request request(Resource before, Request request) {
        return mutant.request(before, request);
    }

    /** What the store makes of a request in the place of a step. */
    public static Step step(Resource before, Request request, long now, Step step) {
        return mutant.step(before, request, now, step);
    }

    /** Takes a rule out of the protocol. */
    static void breakRule(BrokenRule rule) {
        mutant = rule;
    }

    /** What has to be switched to take a rule out. */
    static List<Switch> rules() {
        return List.of(
                Switch.result(Belief::answered, Inside::answered).around(),
                Switch.result(Belief::pushed, Inside::pushed).around());
    }

    static Belief answered(Belief before, Answer answer, long sent, long offset, long now) {
        return asItIs("answered", () -> mutant.answered(before, answer, sent, offset, now));
    }

    static Belief pushed(Belief before, Push push, long now) {
        return asItIs("pushed", () -> mutant.pushed(before, push, now));
    }

    /** Runs something in which the present thread finds the methods of that name as they are. */
    static <T> T asItIs(String method, Supplier<T> what) {
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

    static void asItIs(String method, Runnable what) {
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
