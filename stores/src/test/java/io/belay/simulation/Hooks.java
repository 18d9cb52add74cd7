package io.belay.simulation;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What production code calls in a simulation where it would call the JDK: see {@link Weaver}. Whoever is no actor of a
 * running world calls the JDK all the same.
 */
public final class Hooks {
    private static @Nullable World world;
    private static int fuel;
    /** Whether nobody may be interrupted at present. */
    private static int solid;

    /** For how many points a thread may unwind when the world is over. */
    private static final int LONGEST_UNWINDING = 1_000_000;

    private static int unwound;

    private Hooks() {}

    static void enter(@Nullable World next) {
        world = next;
        solid = 0;
        fuel = Integer.MAX_VALUE;
    }

    static void fuel(int points) {
        fuel = points;
    }

    /** The world is over, and the next thread is to unwind. */
    static void unwind() {
        fuel = 1;
        unwound = 0;
    }

    private static @Nullable Scheduler simulated() {
        World present = world;
        return present != null && present.scheduler.isRunning(Thread.currentThread()) ? present.scheduler : null;
    }

    /** Runs something during which nobody else goes on. */
    static void solidly(Runnable what) {
        solid++;
        try {
            what.run();
        } finally {
            solid--;
        }
    }

    static boolean isSolid() {
        return solid > 0;
    }

    /** Here others may go on. */
    public static void point() {
        if (--fuel <= 0) {
            interrupted();
        }
    }

    private static void interrupted() {
        fuel = Integer.MAX_VALUE;
        Scheduler scheduler = simulated();
        if (scheduler == null) {
            return;
        }
        if (solid > 0 || scheduler.isOver()) {
            fuel = 1;
            if (solid == 0 && ++unwound > LONGEST_UNWINDING && Thread.currentThread() instanceof ActorThread actor) {
                actor.kill(); // the code that it unwinds has caught that, and goes on in what may be half done
            }
            return;
        }
        scheduler.pause();
    }

    // What the bodies of switched methods use.

    /** Throws an error as something may anywhere. */
    public static void failNowAndThen() {
        World present = Objects.requireNonNull(world);
        if (!present.isQuiet() && dice().onceIn(20)) {
            throw new PlannedError("anything may fail");
        }
    }

    public static void park(long nanos) {
        Objects.requireNonNull(simulated()).park(nanos);
    }

    /** The callback executor of the present process's user. */
    public static Executor executor() {
        return present()::execute;
    }

    public static void startThread(String name, Runnable body) {
        present().start(name, body);
    }

    /** The client of the present process that begins something. */
    static Site site() {
        World now = Objects.requireNonNull(world);
        Machine machine = now.scheduler.current().machine;
        Site last = null;
        for (Site site : now.sites()) {
            last = site.machine == machine ? site : last;
        }
        return Objects.requireNonNull(last);
    }

    private static Site present() {
        World now = Objects.requireNonNull(world);
        Machine machine = now.scheduler.current().machine;
        return now.sites().stream()
                .filter(site -> site.machine == machine)
                .findFirst()
                .orElseThrow();
    }

    // Clocks and chance.

    /** A clock is read, which takes a moment. */
    static void reading() {
        point();
        Scheduler scheduler = solid > 0 ? null : simulated();
        if (scheduler != null) {
            scheduler.reading();
        }
    }

    public static long nanoTime() {
        reading();
        Scheduler scheduler = simulated();
        return scheduler == null
                ? System.nanoTime()
                : scheduler.current().machine.nanos();
    }

    public static long currentTimeMillis() {
        Scheduler scheduler = simulated();
        return scheduler == null
                ? System.currentTimeMillis()
                : scheduler.current().machine.wallMillis();
    }

    public static @Nullable ThreadLocalRandom random() {
        return null;
    }

    public static long nextLong(@Nullable ThreadLocalRandom random) {
        return dice().next();
    }

    public static long nextLong(@Nullable ThreadLocalRandom random, long bound) {
        return dice().between(0, bound - 1);
    }

    public static long nextLong(@Nullable ThreadLocalRandom random, long from, long to) {
        return dice().between(from, to - 1);
    }

    public static int nextInt(@Nullable ThreadLocalRandom random, int bound) {
        return dice().below(bound);
    }

    private static Dice dice() {
        return Objects.requireNonNull(world).chance;
    }

    // Threads.

    public static boolean interruptedNow() {
        Scheduler scheduler = simulated();
        return scheduler == null ? Thread.interrupted() : scheduler.current().takeInterrupt();
    }

    public static boolean isInterrupted(Thread thread) {
        Scheduler scheduler = simulated();
        return scheduler == null ? thread.isInterrupted() : ((ActorThread) thread).actor.isInterrupted();
    }

    /** Whether the actor for which the thread was made has still something to do. */
    public static boolean isAlive(Thread thread) {
        return SimulatedThread.of(thread) instanceof ActorThread simulated ? simulated.isUsed() : thread.isAlive();
    }

    public static void interrupt(Thread thread) {
        Scheduler scheduler = simulated();
        if (scheduler == null) {
            thread.interrupt();
            return;
        }
        Actor actor = ((ActorThread) thread).actor;
        actor.interrupt();
        scheduler.disturb(actor);
    }

    public static void yield() {
        Scheduler scheduler = simulated();
        if (scheduler == null) {
            Thread.yield();
        } else if (solid == 0) {
            scheduler.pause();
        }
    }

    public static void sleep(long millis) throws InterruptedException {
        Scheduler scheduler = simulated();
        if (scheduler == null) {
            Thread.sleep(millis);
        } else {
            poll(() -> false, millis * 1_000_000);
        }
    }

    public static void timedJoin(TimeUnit unit, Thread thread, long time) throws InterruptedException {
        SimulatedThread.join(thread, time, unit);
    }

    // Locks: those of the JDK would keep the baton.

    public static void lock(ReentrantLock lock) {
        point();
        Scheduler scheduler = simulated();
        if (scheduler == null) {
            lock.lock();
            return;
        }
        while (!lock.tryLock()) {
            scheduler.block(lock);
        }
    }

    public static void unlock(ReentrantLock lock) {
        lock.unlock();
        Scheduler scheduler = simulated();
        if (scheduler != null) {
            scheduler.unblock(lock);
        }
    }

    public static Condition newCondition(ReentrantLock lock) {
        return new SimulatedCondition(lock);
    }

    public static void acquire(Object lock, BooleanSupplier attempt) {
        point();
        while (!attempt.getAsBoolean()) {
            Scheduler scheduler = simulated();
            if (scheduler == null) {
                throw new IllegalStateException("nobody else runs, and the lock is taken");
            }
            scheduler.block(lock);
        }
    }

    public static void released(Object lock) {
        Scheduler scheduler = simulated();
        if (scheduler != null) {
            scheduler.unblock(lock);
        }
    }

    static @Nullable Scheduler scheduler() {
        return simulated();
    }

    // Maps: what they compute is computed under a lock of theirs.

    public static @Nullable Object computeIfAbsent(
            ConcurrentHashMap<Object, Object> map, Object key, Function<Object, Object> value) {
        point();
        solid++;
        try {
            return map.computeIfAbsent(key, value);
        } finally {
            solid--;
        }
    }

    public static @Nullable Object computeIfPresent(
            ConcurrentHashMap<Object, Object> map, Object key, BiFunction<Object, Object, Object> value) {
        point();
        solid++;
        try {
            return map.computeIfPresent(key, value);
        } finally {
            solid--;
        }
    }

    public static @Nullable Object compute(
            ConcurrentHashMap<Object, Object> map, Object key, BiFunction<Object, Object, Object> value) {
        point();
        solid++;
        try {
            return map.compute(key, value);
        } finally {
            solid--;
        }
    }

    // Futures.

    public static CompletableFuture<Void> runAsync(Runnable what) {
        World present = Objects.requireNonNull(world);
        CompletableFuture<Void> done = new CompletableFuture<>();
        present.scheduler.spawn("common-pool", present.scheduler.current().machine, false, 1000, () -> {
            what.run();
            done.complete(null);
        });
        return done;
    }

    public static Object join(CompletableFuture<Object> future) {
        Scheduler scheduler = simulated();
        if (scheduler != null && !future.isDone()) {
            future.whenComplete((value, error) -> released(future));
            while (!future.isDone()) {
                scheduler.block(future);
            }
        }
        return future.join();
    }

    // What logs use.

    /** How soon somebody looks whether what it waits for has come, where nobody would wake it, and how rarely at last. */
    private static final long LOOK = 1_000_000;

    private static final long RARELY = 64_000_000;

    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
        return poll(() -> latch.getCount() == 0, unit.toNanos(time));
    }

    public static boolean offer(BlockingQueue<Object> queue, Object element, long time, TimeUnit unit)
            throws InterruptedException {
        return poll(() -> queue.offer(element), unit.toNanos(time));
    }

    static boolean poll(BooleanSupplier condition, long nanos) throws InterruptedException {
        Scheduler scheduler = Objects.requireNonNull(simulated());
        long end = scheduler.now() + nanos;
        long pause = LOOK;
        while (!condition.getAsBoolean()) {
            if (scheduler.current().takeInterrupt()) {
                throw new InterruptedException();
            } else if (scheduler.now() >= end) {
                return false;
            }
            scheduler.park(Math.min(pause, end - scheduler.now()));
            pause = Math.min(2 * pause, RARELY);
        }
        return true;
    }

    static void logged(String level, String message) {
        World present = world;
        Scheduler scheduler = simulated();
        if (present != null && scheduler != null && solid == 0 && !scheduler.isOver()) {
            present.logged(level, message);
        }
    }
}
