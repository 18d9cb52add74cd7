package io.belay.file;

/**
 * A head word, which says which document is the state of a bucket. It holds a version that every change raises (43
 * bits, enough for a hundred days at a million changes a second, so no word comes back while somebody makes a change),
 * a check of the rest (8 bits), the slot of the client whose area has the document (12 bits), and which of that
 * client's two entries for the bucket it is (1 bit). A document has a checksum of its own; this check is for words that
 * say there is no document, since a lock would be free if rubbish were taken for one of them.
 */
final class Head {
    /** The number of slots. */
    static final int SLOTS = 4096;

    /** The slot that stands for none: the bucket is empty. The table has this slot, and no client may claim it. */
    static final int NOBODY = SLOTS - 1;

    /** The head of a bucket that has never had a document. */
    static final long EMPTY = of(0, NOBODY, 0);

    private static final int VERSION_BITS = 43;

    private Head() {}

    static long of(long version, int slot, int toggle) {
        return version << 21 | (long) check(version, slot, toggle) << 13 | (long) slot << 1 | toggle;
    }

    /** Returns the check, which is not 0 for zeros, since those are what is left of a file that was damaged. */
    private static int check(long version, int slot, int toggle) {
        return (int) ((version << 13 | (long) slot << 1 | toggle) * 0x9e3779b97f4a7c15L >>> 56) ^ 0x5a;
    }

    static long version(long head) {
        return head >>> 21;
    }

    /** Returns the version after that of a head. */
    static long next(long head) {
        return version(head) + 1 & (1L << VERSION_BITS) - 1;
    }

    static int slot(long head) {
        return (int) (head >>> 1) & (SLOTS - 1);
    }

    static int toggle(long head) {
        return (int) head & 1;
    }

    /** Returns whether the bucket has no document. */
    static boolean isEmpty(long head) {
        return slot(head) == NOBODY && head == of(version(head), NOBODY, toggle(head));
    }
}
