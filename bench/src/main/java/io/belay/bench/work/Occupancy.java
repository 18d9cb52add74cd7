package io.belay.bench.work;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * A check, inside something that has room for several, whether too many are in it. Each thread has a place of its own
 * in the shared memory, which says what weight is there now.
 */
final class Occupancy {
    private static final int WEIGHT_BITS = 16;

    private final SharedMemory memory;
    private final int places;
    private final int room;
    private final LongAdder violations;

    /**
     * @param places how many threads there are that may come in, numbered from 0
     * @param room the weight for which there is room
     * @param violations counts what the check notices
     */
    Occupancy(SharedMemory memory, int places, int room, LongAdder violations) {
        this.memory = memory;
        this.places = places;
        this.room = room;
        this.violations = violations;
    }

    /** Notes that a thread has come in; the thread calls this first. */
    void enter(int place, int weight) {
        change(place, weight);
        if (isOverfull()) {
            violations.increment();
        }
    }

    /** Notes that a thread goes out; the thread calls this last. */
    void leave(int place) {
        change(place, 0);
    }

    /** Changes the weight of a place, and raises the number above the weight, so that no two states look the same. */
    private void change(int place, int weight) {
        memory.set(place, ((memory.get(place) >> WEIGHT_BITS) + 1) << WEIGHT_BITS | weight);
    }

    /**
     * Returns whether too many are in, by two equal readings: a single one may show one that left and its successor.
     */
    private boolean isOverfull() {
        while (true) {
            long[] seen = read();
            if (weight(seen) <= room) {
                return false;
            } else if (Arrays.equals(seen, read())) {
                return true;
            }
        }
    }

    private long[] read() {
        long[] all = new long[places];
        for (int i = 0; i < places; i++) {
            all[i] = memory.get(i);
        }
        return all;
    }

    private static long weight(long[] all) {
        return Arrays.stream(all).map(place -> place & (1 << WEIGHT_BITS) - 1).sum();
    }
}
