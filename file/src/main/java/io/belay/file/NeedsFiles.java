package io.belay.file;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown where a calling thread cannot go on because a file has to be mapped or made. Nothing has changed; the store's
 * thread provides the file and starts again.
 */
final class NeedsFiles extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    final int bucket;
    final long head;
    final int segment;
    final int room;

    private NeedsFiles(int bucket, long head, int segment, int room) {
        super(null, null, false, false);
        this.bucket = bucket;
        this.head = head;
        this.segment = segment;
        this.room = room;
    }

    /** Says that this client's area has to grow by an extent of that length. */
    static NeedsFiles room(int length) {
        return new NeedsFiles(0, 0, 0, length);
    }

    /** Says that the segment of another client's area that a head leads to is not mapped. */
    static NeedsFiles segment(int bucket, long head, int segment) {
        return new NeedsFiles(bucket, head, segment, 0);
    }

    @Override
    public @Nullable String getMessage() {
        return room > 0 ? "room for " + room + " bytes" : "segment " + segment + " for bucket " + bucket;
    }
}
