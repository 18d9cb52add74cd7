package io.belay;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * One thing cut into segments with a lock each, so that as many as there are segments work on it at once: the answer to a hot
 * item, whose stock is shared out among the segments beforehand. What a segment holds is for the caller to know; its number
 * is given to whoever works on it.
 *
 * <p>Nobody here holds two segments at once, but for {@link #all}, which takes them in order.
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
     * A lock in segments, whose locks are called {@code name#0}, {@code name#1} and so on.
     *
     * @param belay where the locks are
     * @param name the name of the whole
     * @param segments how many there are, at least 1; all who use the name must say the same
     * @throws IllegalArgumentException if there is none, or the name is no name
     */
    public static StripedLock of(Belay belay, String name, int segments) {
        if (segments < 1) {
            throw new IllegalArgumentException("The striped lock '" + name + "' cannot have " + segments + " segments");
        }
        return new StripedLock(
                name,
                IntStream.range(0, segments)
                        .mapToObj(i -> belay.lock(name + "#" + i))
                        .toList());
    }

    /** What is done on a segment. */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Works on a segment while its lock is held.
         *
         * @param segment the segment's number, from 0
         * @param lease the hold of its lock
         * @return what came of it, or empty if this segment cannot serve, so that another is to be asked
         */
        Optional<T> on(int segment, Lease lease) throws Exception;
    }

    /** The name of the whole. */
    public String name() {
        return name;
    }

    /** How many segments there are. */
    public int segments() {
        return locks.size();
    }

    /** The lock of one segment. */
    public DistributedLock segment(int number) {
        return locks.get(number);
    }

    /** The segment that a key belongs to: the same in every process. */
    public int segmentOf(String key) {
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % locks.size());
    }

    /** The lock of the segment that a key belongs to. */
    public DistributedLock forKey(String key) {
        return locks.get(segmentOf(key));
    }

    /** All segments at once. */
    public MultiLock all() {
        return MultiLock.of(locks);
    }

    /**
     * Works on one segment after the other until one can serve: first on those that are free, beginning anywhere, then on
     * the others as they are had. A segment that refused is not asked again.
     *
     * @param work what to do; its exception ends the search and is thrown on
     * @return what came of it; empty if every segment has refused
     * @throws LeaseLostException if the lease of a segment was lost before the work on it had ended: it may have overlapped
     *     with another holder's
     * @throws Exception what the work threw, {@link InterruptedException} while waiting included
     */
    public <T> Optional<T> serve(Work<T> work) throws Exception {
        List<Integer> busy = new ArrayList<>();
        int first = ThreadLocalRandom.current().nextInt(locks.size());
        for (int i = 0; i < locks.size(); i++) {
            int segment = (first + i) % locks.size();
            Optional<Lease> lease = locks.get(segment).tryAcquire();
            if (lease.isEmpty()) {
                busy.add(segment);
                continue;
            }
            Optional<T> served = serve(work, segment, lease.get());
            if (served.isPresent()) {
                return served;
            }
        }
        for (int segment : busy) {
            Optional<T> served = serve(work, segment, locks.get(segment).acquire());
            if (served.isPresent()) {
                return served;
            }
        }
        return Optional.empty();
    }

    private static <T> Optional<T> serve(Work<T> work, int segment, Lease lease) throws Exception {
        Optional<T> served;
        try (lease) {
            served = work.on(segment, lease);
            lease.ensureHeld();
        }
        return served;
    }

    @Override
    public String toString() {
        return "StripedLock '" + name + "' of " + locks.size();
    }
}
