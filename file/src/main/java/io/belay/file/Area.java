package io.belay.file;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client's data: an index with two entries for each bucket, and a heap that they point into. A document is the state
 * of its bucket only while the bucket's head names its entry.
 */
class Area {
    /** The offset at which the heap of the first segment begins, in bytes: behind the index. */
    static final int INDEX_END = Segment.HEADER + RootTable.BUCKETS * 2 * 8;

    final long client;

    private volatile @Nullable Segment[] segments = {};

    Area(long client) {
        this.client = client;
    }

    final @Nullable Segment segment(int number) {
        @Nullable Segment[] all = segments;
        return number < all.length ? all[number] : null;
    }

    /** Adds a mapped segment. Called by the store's thread only. */
    final void add(int number, Segment segment) {
        @Nullable Segment[] all = Arrays.copyOf(segments, Math.max(segments.length, number + 1));
        all[number] = segment;
        segments = all;
    }

    static int entryAt(int bucket, int toggle) {
        return Segment.HEADER + (bucket * 2 + toggle) * 8;
    }

    /** Returns an entry, a {@link HeapRange} in the heap; 0 if it was never written, or the index is not mapped. */
    final long entry(int bucket, int toggle) {
        Segment index = segment(0);
        return index == null || index.memory.capacity() < INDEX_END
                ? 0
                : MappedWords.get(index.memory, entryAt(bucket, toggle));
    }

    /** Returns the memory of a place, or null if there is none such. Its content may change at any moment. */
    final @Nullable ByteBuffer memory(long place) {
        Segment segment = segment(HeapRange.segment(place));
        return segment == null || HeapRange.offset(place) + HeapRange.length(place) > segment.memory.capacity()
                ? null
                : segment.memory;
    }
}
