package io.belay.file;

/**
 * A head word: which document is the state of a bucket. It holds a version that every change raises (51 bits, enough
 * for seventy years at a million changes a second, so a word never comes back), the slot of the client whose area has
 * the document (12 bits), and which of that client's two entries for the bucket it is (1 bit).
 */
final class Head {
    /** The number of slots. */
    static final int SLOTS = 4096;

    /** Stands for no slot: the bucket is empty. The table has this slot, and nobody may claim it. */
    static final int NOBODY = SLOTS - 1;

    private Head() {}

    static long of(long version, int slot, int toggle) {
        return version << 13 | (long) slot << 1 | toggle;
    }

    static long version(long head) {
        return head >>> 13;
    }

    static int slot(long head) {
        return (int) (head >>> 1) & (SLOTS - 1);
    }

    static int toggle(long head) {
        return (int) head & 1;
    }

    /** Whether the bucket has no document. A word that was never written is 0. */
    static boolean isEmpty(long head) {
        return head == 0 || slot(head) == NOBODY;
    }
}
