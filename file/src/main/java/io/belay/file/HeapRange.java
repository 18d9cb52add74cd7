package io.belay.file;

/**
 * A stretch of an area's heap in one word: the segment (8 bits), where it begins there, in units of {@link #UNIT} bytes
 * (28 bits), and its length in bytes (28 bits). The entries that other clients read are such words. No place is 0,
 * since a segment begins with a header.
 */
final class HeapRange {
    static final int UNIT = 64;
    static final int MAX_LENGTH = (1 << 28) - 1;
    static final int SEGMENTS = 256;

    private HeapRange() {}

    static long of(int segment, int offset, int length) {
        return (long) segment << 56 | (long) (offset / UNIT) << 28 | length;
    }

    static int segment(long place) {
        return (int) (place >>> 56);
    }

    /** Returns where a place begins, in bytes; a word that was torn or damaged may name a place beyond any memory. */
    static long offset(long place) {
        return (place >>> 28 & MAX_LENGTH) * UNIT;
    }

    static int length(long place) {
        return (int) place & MAX_LENGTH;
    }
}
