package io.belay.recipes;

import io.belay.Belay;
import io.belay.CheckReturnValue;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a thing that is cut into segments with a lock each, so that as many callers as there are segments work on
 * it at once: the answer to a hot item, whose stock is shared out among the segments beforehand. The caller has to
 * know what a segment holds; whoever works on a segment is given its number.
 *
 * <p>No method here holds two segments at once, but for {@link #all}, which takes them in the order of their names.
 *
 * <p>Thread-safe; holds nothing by itself.
 */
public final class StripedLock {
    private final String name;
    private final List<DistributedLock> locks;

    private StripedLock(String name, List<DistributedLock> locks) {
        this.name = name;
        this.locks = locks;
    }

    /**
     * Returns a lock in segments, whose locks are called {@code name#0}, {@code name#1} and so on.
     *
     * @param belay where the locks are
     * @param name the name of the whole
     * @param segments how many there are, at least 1; all who use the name must say the same, which nobody checks
     * @throws IllegalArgumentException if there is none, or the name is no name
     */
    public static StripedLock of(Belay belay, String name, int segments) {
        return of(belay, name, segments, Objects.requireNonNull(belay, "belay").lockDefaults());
    }

    /**
     * Returns the same with options of its own for the locks of the segments.
     *
     * @param belay where the locks are
     * @param name the name of the whole
     * @param segments how many there are, at least 1; all who use the name must say the same, which nobody checks
     * @param options what each segment's lock is asked for with
     * @throws IllegalArgumentException if there is none, the name is no name, or the store does not have such locks
     */
    public static StripedLock of(Belay belay, String name, int segments, LockOptions options) {
        Objects.requireNonNull(belay, "belay");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        if (segments < 1) {
            throw new IllegalArgumentException("The striped lock '" + name + "' cannot have " + segments + " segments");
        }
        return new StripedLock(
                name,
                IntStream.range(0, segments)
                        .mapToObj(i -> belay.lock(name + "#" + i, options))
                        .toList());
    }

    /**
     * The work that is done on a segment.
     *
     * @param <T> what comes of it
     * @param <E> what it throws
     */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        /**
         * Works on a segment while its lock is held.
         *
         * @param segment the segment's number, from 0
         * @param lease the hold of its lock
         * @return what came of it, or empty if this segment cannot serve, so that another is to be asked
         */
        Optional<T> on(int segment, Lease lease) throws E;
    }

    /** Returns the name of the whole. */
    public String name() {
        return name;
    }

    /** Returns how many segments there are. */
    public int segments() {
        return locks.size();
    }

    /** Returns the lock of one segment. */
    public DistributedLock segment(int number) {
        return locks.get(number);
    }

    /** Returns the number of the segment that a key belongs to: the same in every process. */
    public int segmentOf(String key) {
        Objects.requireNonNull(key, "key");
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % locks.size());
    }

    /** Returns the lock of the segment that a key belongs to. */
    public DistributedLock forKey(String key) {
        return locks.get(segmentOf(key));
    }

    /** Returns a lock of all segments at once. */
    public MultiLock all() {
        return MultiLock.of(locks);
    }

    /** The hold of one segment. */
    public static final class Segment implements AutoCloseable {
        private final int number;
        private final Lease lease;

        private Segment(int number, Lease lease) {
            this.number = number;
            this.lease = lease;
        }

        /** Returns the segment's number, from 0. */
        public int number() {
            return number;
        }

        /** Returns the hold of its lock. */
        public Lease lease() {
            return lease;
        }

        /** Releases the segment's lock. */
        @Override
        public void close() {
            lease.close();
        }
    }

    /**
     * Takes any segment that is free. Blocks for at most a round trip for each segment.
     *
     * @return empty if none is
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Optional<Segment> tryAcquireAny() {
        return free(ThreadLocalRandom.current().nextInt(locks.size()));
    }

    private Optional<Segment> free(int first) {
        for (int i = 0; i < locks.size(); i++) {
            int number = (first + i) % locks.size();
            Optional<Lease> lease = locks.get(number).tryAcquire();
            if (lease.isPresent()) {
                return Optional.of(new Segment(number, lease.get()));
            }
        }
        return Optional.empty();
    }

    /**
     * Takes any segment that is free, and waits for one of them, chosen by lot, if none is.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws StoreUnavailableException if the store did not answer in time before it waited
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Segment acquireAny() throws InterruptedException {
        checkInterrupt();
        int number = ThreadLocalRandom.current().nextInt(locks.size());
        Optional<Segment> free = free(number);
        return free.isPresent()
                ? free.get()
                : new Segment(number, locks.get(number).acquire());
    }

    /**
     * Does the same as {@link #acquireAny()}, for a limited time.
     *
     * @param wait the longest wait once none was free, not negative
     * @return empty if the time has passed
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Optional<Segment> tryAcquireAny(Duration wait) throws InterruptedException {
        Objects.requireNonNull(wait, "wait");
        if (wait.isNegative()) { // also where one is free, and nobody waits
            throw new IllegalArgumentException("wait is " + wait + ", but must not be negative");
        }
        checkInterrupt();
        int number = ThreadLocalRandom.current().nextInt(locks.size());
        Optional<Segment> free = free(number);
        return free.isPresent() ? free : locks.get(number).tryAcquire(wait).map(lease -> new Segment(number, lease));
    }

    /** Throws also where a segment is free: who takes one after the other ends by an interrupt. */
    private static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Does the same as {@link #acquireAny()}, without blocking. The future fails with the same exceptions; its dependents run on the
     * client's callback executor. Cancelling it gives up the wait, and gives back what was had just then.
     */
    @CheckReturnValue
    public CompletableFuture<Segment> acquireAnyAsync() {
        CompletableFuture<Segment> result = new CompletableFuture<>();
        search(ThreadLocalRandom.current().nextInt(locks.size()), 0, result);
        return result;
    }

    private void search(int first, int begin, CompletableFuture<Segment> result) {
        for (int tried = begin; !result.isDone(); tried++) {
            int next = tried + 1;
            int number = (first + tried) % locks.size();
            if (tried == locks.size()) {
                CompletableFuture<Lease> waiting = locks.get(number).acquireAsync();
                waiting.whenComplete((lease, error) -> give(number, lease, error, result));
                result.whenComplete((segment, error) -> waiting.cancel(false)); // nothing happens to one that is done
                return;
            }
            CompletableFuture<Optional<Lease>> attempt = locks.get(number).tryAcquireAsync();
            boolean goesOn = attempt.isDone();
            attempt.whenComplete((lease, error) -> {
                if (error != null || lease.isPresent()) {
                    give(number, error == null ? lease.get() : null, error, result);
                } else if (!goesOn) {
                    try {
                        search(first, next, result);
                    } catch (RuntimeException | Error e) { // the lock is refused, say: nobody else hears of it
                        result.completeExceptionally(e);
                    }
                }
            });
            if (!goesOn) {
                result.whenComplete((segment, error) -> attempt.cancel(false)); // nothing happens to one that is done
                return;
            }
        }
    }

    private static void give(
            int number, @Nullable Lease lease, @Nullable Throwable error, CompletableFuture<Segment> result) {
        if (lease == null) {
            result.completeExceptionally(error == null ? new IllegalStateException("no lease") : error);
            return;
        }
        try {
            if (!result.complete(new Segment(number, lease))) {
                lease.releaseAsync();
            }
        } catch (Error e) { // as no memory is left
            result.completeExceptionally(e);
            lease.releaseAsync();
        }
    }

    /**
     * Works on one segment after the other until one can serve: first on those that are free, beginning anywhere, then on
     * the others in turn, each of which it waits for: give them a longest hold where a holder may hang
     * ({@link io.belay.LockOptions#withMaxHold}). A segment that refused is not asked again.
     *
     * @param work what to do; its exception ends the search and is thrown on
     * @return what came of it; empty if every segment has refused
     * @throws LeaseLostException if the lease of a segment was lost before the work on it had ended: it may have overlapped
     *     with another holder's
     * @throws InterruptedException if the thread is interrupted before or while it waits for a segment
     * @throws E what the work threw
     */
    public <T, E extends Exception> Optional<T> serve(Work<T, E> work) throws E, InterruptedException {
        Objects.requireNonNull(work, "work");
        checkInterrupt();
        List<Integer> busy = new ArrayList<>();
        Optional<T> served = Optional.empty();
        int first = ThreadLocalRandom.current().nextInt(locks.size());
        for (int i = 0; served.isEmpty() && i < locks.size(); i++) {
            int segment = (first + i) % locks.size();
            Optional<Lease> lease = locks.get(segment).tryAcquire();
            if (lease.isPresent()) {
                served = serve(work, segment, lease.get());
            } else {
                busy.add(segment);
            }
        }
        for (int i = 0; served.isEmpty() && i < busy.size(); i++) {
            served = serve(work, busy.get(i), locks.get(busy.get(i)).acquire());
        }
        return served;
    }

    private static <T, E extends Exception> Optional<T> serve(Work<T, E> work, int segment, Lease lease) throws E {
        Optional<T> served;
        try (lease) {
            served = Objects.requireNonNull(work.on(segment, lease), "what the work returned");
            lease.ensureHeld();
        }
        HeldTogether.ensureReleased(List.of(lease));
        return served;
    }

    @Override
    public String toString() {
        return "StripedLock '" + name + "' of " + locks.size();
    }
}
