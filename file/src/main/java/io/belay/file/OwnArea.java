package io.belay.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The area of this client. A bucket's entries and extents are written only under the lock of the bucket's {@link LockStripe};
 * the area grows on the store's thread only.
 */
final class OwnArea extends Area {
    private static final int FIRST = 1 << 20;
    private static final int LARGEST = 1 << 26;
    private static final int LEAST = 1 << 16;

    private final Path directory;
    private final Disk disk;
    private final Extents extents = new Extents();
    private final long[] held = new long[RootTable.BUCKETS * 2];
    /** An extent for each bucket that is to have room for another copy of its document, which other changes leave alone. */
    private final long[] spare = new long[RootTable.BUCKETS];

    private int count;

    /** A maker of segments. */
    interface Disk {
        Segment create(Path directory, long client, int number, int size) throws IOException;
    }

    OwnArea(Path directory, long client, Disk disk) throws IOException {
        super(client);
        this.directory = directory;
        this.disk = disk;
        addSegment(FIRST, INDEX_END);
    }

    /** Adds a segment, larger than the one before up to {@link #LARGEST}. */
    void growEarly() throws IOException {
        grow(usual());
    }

    /** Adds a segment with room for an extent of that length: as large a one as the disk has room for. */
    void growFor(int length) throws IOException {
        int least = Math.max(Extents.sizeFor(length) + Segment.HEADER, LEAST);
        int size = Math.max(usual(), least);
        while (true) {
            try {
                grow(size);
                return;
            } catch (IOException e) {
                if (size == least) {
                    throw e;
                }
                size = Math.max(size / 2, least);
            }
        }
    }

    private int usual() {
        return Math.min(FIRST << Math.min(count, 6), LARGEST);
    }

    private void grow(int size) throws IOException {
        if (count == HeapRange.SEGMENTS) {
            throw new IOException("the area of one client has reached its limit of " + count + " files");
        }
        addSegment(size, Segment.HEADER);
    }

    private void addSegment(int size, int heap) throws IOException {
        Segment segment = disk.create(directory, client, count, size);
        add(count, segment);
        extents.add(count, heap, size);
        count++;
    }

    /** Returns the files of this area. */
    List<Path> files() {
        return IntStream.range(0, count)
                .mapToObj(number -> Segment.file(directory, client, number))
                .toList();
    }

    /** Makes those files anew that were deleted; nobody may write to this area any more. */
    void restore() throws IOException {
        for (int number = 0; number < count; number++) {
            Segment mapped = segment(number);
            if (mapped != null && Files.notExists(Segment.file(directory, client, number))) {
                int size = mapped.memory.capacity();
                disk.create(directory, client, number, size).memory.put(0, mapped.memory, 0, size);
            }
        }
    }

    /** Returns whether little is left, so that the area should grow before it has to. */
    boolean isLow() {
        return extents.untouched() < FIRST / 4;
    }

    /**
     * Writes a document into an entry that the bucket's head does not name.
     *
     * @return false if the heap has no room for it
     */
    boolean write(int bucket, int toggle, byte[] document, int length) {
        int at = bucket * 2 + toggle;
        long extent = held[at];
        int size = HeapRange.length(extent);
        int wanted = Extents.sizeFor(length);
        if (size < wanted || size > 4 * wanted) {
            long fitting = HeapRange.length(spare[bucket]) >= wanted ? takeSpare(bucket) : extents.allocate(length);
            if (fitting != 0) {
                release(bucket, toggle);
                extent = fitting;
                held[at] = extent;
            } else if (size < wanted) {
                return false;
            }
        }
        int offset = (int) HeapRange.offset(extent);
        ByteBuffer memory = memory(extent);
        Segment index = segment(0);
        if (memory == null || index == null) {
            throw new IllegalStateException("an own extent has no memory");
        }
        memory.put(offset, document, 0, length);
        MappedWords.set(index.memory, entryAt(bucket, toggle), HeapRange.of(HeapRange.segment(extent), offset, length));
        return true;
    }

    private long takeSpare(int bucket) {
        long taken = spare[bucket];
        spare[bucket] = 0;
        return taken;
    }

    /**
     * Sees to it that a document of that length can be written into an entry later, though it holds another one now and the
     * disk may be full by then.
     *
     * @return false if there is no room
     */
    boolean reserve(int bucket, int toggle, int length) {
        int wanted = Extents.sizeFor(length);
        if (HeapRange.length(held[bucket * 2 + toggle]) >= wanted || HeapRange.length(spare[bucket]) >= wanted) {
            return true;
        }
        long extent = extents.allocate(length);
        if (extent != 0) {
            releaseSpare(bucket);
            spare[bucket] = extent;
        }
        return extent != 0;
    }

    /** Returns whether a bucket has extents here. */
    boolean keeps(int bucket) {
        return held[bucket * 2] != 0 || held[bucket * 2 + 1] != 0 || spare[bucket] != 0;
    }

    void releaseSpare(int bucket) {
        if (spare[bucket] != 0) {
            extents.free(takeSpare(bucket));
        }
    }

    /** Gives back the extent of an entry that the bucket's head does not name. */
    void release(int bucket, int toggle) {
        int at = bucket * 2 + toggle;
        if (held[at] != 0) {
            extents.free(held[at]);
            held[at] = 0;
        }
    }
}
