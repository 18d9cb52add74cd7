package io.belay.file;

import io.belay.support.Mutex;
import java.util.Arrays;

/**
 * The free parts of the heap of this client's area. Extents have sizes of powers of two, and are given back to a list
 * of their size: a bucket mostly keeps the extent that it has. Only the owner knows them, and they are lost with it,
 * since the client that reaps it copies its documents away.
 */
final class Extents {
    private static final int SIZES = 28;

    private final Mutex lock = new Mutex();
    private final long[][] free = new long[SIZES][0];
    private final int[] counts = new int[SIZES];
    private int segment;
    private int next;
    private int end;

    /** Adds the heap of a new segment, and cuts what was left of the one before into smaller free extents. */
    void add(int number, int from, int to) {
        try (var held = lock.hold()) {
            while (end - next >= HeapRange.UNIT) {
                free(carve(Integer.highestOneBit(end - next)));
            }
            segment = number;
            next = from;
            end = to;
        }
    }

    /** Takes a free extent, and returns its place, whose length is the extent's size; 0 if there is no room. */
    long allocate(int length) {
        int size = sizeFor(length);
        int list = Integer.numberOfTrailingZeros(size);
        try (var held = lock.hold()) {
            if (counts[list] > 0) {
                return free[list][--counts[list]];
            }
            return size <= end - next ? carve(size) : 0;
        }
    }

    private long carve(int size) {
        long extent = HeapRange.of(segment, next, size);
        next += size;
        return extent;
    }

    void free(long extent) {
        int list = Integer.numberOfTrailingZeros(HeapRange.length(extent));
        try (var held = lock.hold()) {
            if (counts[list] == free[list].length) {
                free[list] = Arrays.copyOf(free[list], Math.max(16, counts[list] * 2));
            }
            free[list][counts[list]++] = extent;
        }
    }

    /** Returns how many bytes of the newest segment were never given out. */
    int untouched() {
        try (var held = lock.hold()) {
            return end - next;
        }
    }

    static int sizeFor(int length) {
        return length <= HeapRange.UNIT ? HeapRange.UNIT : Integer.highestOneBit(length - 1) << 1;
    }
}
