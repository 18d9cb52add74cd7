package io.belay.file;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The file that all clients share: the store's clock, the slots of its clients, and the head of every bucket.
 *
 * <p><b>Clock.</b> {@link System#nanoTime()} is one clock for all processes of a host until its next boot. The file
 * holds what to add to it (with a check of that), so that the store's time is near the wall clock's when the file is
 * made, runs evenly from then on, and is past every time that earlier boots used. For that the clients keep the <i>high
 * water</i> above all times in use, and the next boot starts above it: tokens rise even if the wall clock was set back
 * in between.
 *
 * <p><b>Slots.</b> A client claims a free slot by writing its number there. The slot may be freed only when no head
 * names it any more. A second table says which clients closed in good order; it repeats the client's number, so that a
 * mark left by an earlier owner of the slot means nothing.
 */
final class RootTable {
    static final String FILE = "heads";
    static final int BUCKETS = 16384;

    /** The distance at which the clients keep the high water above the clock, in microseconds. */
    static final long MARGIN = 20_000_000;

    private static final long MAGIC = 0x42454c4159303245L;
    private static final int MAGIC_AT = 0;
    private static final int BASE_AT = 8;
    private static final int CLOCK_ID_AT = 16;
    private static final int SHAPE_AT = 24;
    private static final int CHECK_AT = 32;
    private static final int HIGH_WATER_AT = 128;
    private static final int SLOTS_AT = 4096;
    private static final int CLOSED_AT = SLOTS_AT + Head.SLOTS * 8;
    private static final int HEADS_AT = CLOSED_AT + Head.SLOTS * 8;
    private static final int SIZE = HEADS_AT + BUCKETS * 8;

    private final MappedByteBuffer memory;
    private final LongSupplier nanos;
    private final long base;

    private RootTable(MappedByteBuffer memory, LongSupplier nanos) {
        this.memory = memory;
        this.nanos = nanos;
        this.base = MappedWords.get(memory, BASE_AT);
    }

    /**
     * Makes the file of a new boot.
     *
     * @param start what the store's clock shall read now, in microseconds
     * @param clockId tells clocks apart that run differently within one boot
     */
    static void create(Path directory, long start, long clockId, LongSupplier nanos) throws IOException {
        ByteBuffer content = ByteBuffer.allocateDirect(SIZE);
        MappedWords.set(content, MAGIC_AT, MAGIC);
        MappedWords.set(content, BASE_AT, start - micros(nanos));
        MappedWords.set(content, CLOCK_ID_AT, clockId);
        MappedWords.set(content, SHAPE_AT, (long) Head.SLOTS << 32 | BUCKETS);
        MappedWords.set(content, CHECK_AT, check(content));
        MappedWords.set(content, HIGH_WATER_AT, start + MARGIN);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            MappedWords.set(content, headAt(bucket), Head.EMPTY);
        }
        try (FileChannel channel =
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
    }

    /** Maps the file; fails if it is not of this format. */
    static RootTable map(Path directory, LongSupplier nanos) throws IOException {
        return map(directory, nanos, FileChannel.MapMode.READ_WRITE, StandardOpenOption.WRITE);
    }

    /** Does the same for a caller that changes nothing. */
    static RootTable look(Path directory, LongSupplier nanos) throws IOException {
        return map(directory, nanos, FileChannel.MapMode.READ_ONLY);
    }

    private static RootTable map(Path directory, LongSupplier nanos, FileChannel.MapMode mode, OpenOption... write)
            throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(write));
        options.add(StandardOpenOption.READ);
        options.add(LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(directory.resolve(FILE), options)) {
            if (channel.size() != SIZE) {
                throw new StreamCorruptedException("it has " + channel.size() + " bytes instead of " + SIZE);
            }
            MappedByteBuffer memory = channel.map(mode, 0, SIZE);
            if (MappedWords.get(memory, MAGIC_AT) != MAGIC
                    || MappedWords.get(memory, SHAPE_AT) != ((long) Head.SLOTS << 32 | BUCKETS)
                    || MappedWords.get(memory, CHECK_AT) != check(memory)) {
                throw new StreamCorruptedException("it does not begin as it should");
            }
            return new RootTable(memory, nanos);
        }
    }

    /**
     * Returns a check of what never changes: with another base the clock would be another, and leases would seem to
     * have ended.
     */
    private static long check(ByteBuffer memory) {
        return ResourceNames.hash(MappedWords.get(memory, BASE_AT) + " " + MappedWords.get(memory, CLOCK_ID_AT));
    }

    static int headAt(int bucket) {
        return HEADS_AT + bucket * 8;
    }

    private static long micros(LongSupplier nanos) {
        return Math.floorDiv(nanos.getAsLong(), 1000L);
    }

    /** Returns the store's time, in microseconds. */
    long now() {
        return micros(nanos) + base;
    }

    long clockId() {
        return MappedWords.get(memory, CLOCK_ID_AT);
    }

    long highWater() {
        return MappedWords.get(memory, HIGH_WATER_AT);
    }

    /** Raises the high water above a time that is about to be used, unless it is there already. */
    void use(long time) {
        if (time >= highWater()) {
            MappedWords.raise(memory, HIGH_WATER_AT, time + MARGIN);
        }
    }

    /** Raises the high water in good time, on disk too. */
    void raiseHighWater() {
        long now = now();
        if (highWater() < now + MARGIN * 3 / 4) {
            MappedWords.raise(memory, HIGH_WATER_AT, now + MARGIN);
            try {
                memory.force(0, SLOTS_AT);
            } catch (UncheckedIOException e) { // those who come after a power failure may not see it; the clock goes on
                FileLog.LOG.warn("the clock's mark could not be written to the disk: {}", e.toString());
            }
        }
    }

    long head(int bucket) {
        return MappedWords.get(memory, headAt(bucket));
    }

    boolean publish(int bucket, long expected, long head) {
        return MappedWords.compareAndSet(memory, headAt(bucket), expected, head);
    }

    /** Returns the number of the client that has a slot; 0 for none. */
    long client(int slot) {
        return MappedWords.get(memory, SLOTS_AT + slot * 8);
    }

    /** Returns the slot of a client, or -1. */
    int slotOf(long client) {
        for (int slot = 0; slot < Head.NOBODY; slot++) {
            if (client(slot) == client) {
                return slot;
            }
        }
        return -1;
    }

    /** Claims a slot, or returns -1 if all are taken. */
    int claimSlot(long client) {
        for (int slot = 0; slot < Head.NOBODY; slot++) {
            if (client(slot) == 0) {
                // It may have closed here, and come back with its number.
                MappedWords.compareAndSet(memory, CLOSED_AT + slot * 8, client, 0);
                if (MappedWords.compareAndSet(memory, SLOTS_AT + slot * 8, 0, client)) {
                    return slot;
                }
            }
        }
        return -1;
    }

    boolean freeSlot(int slot, long client) {
        return MappedWords.compareAndSet(memory, SLOTS_AT + slot * 8, client, 0);
    }

    /** Returns whether the client of a slot closed in good order: its claims are not ended before their time. */
    boolean isClosed(int slot) {
        return MappedWords.get(memory, CLOSED_AT + slot * 8) == client(slot);
    }

    void markClosed(int slot, long client) {
        MappedWords.set(memory, CLOSED_AT + slot * 8, client);
    }

    /** Returns whether some head names a slot. */
    boolean isNamed(int slot) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            long head = head(bucket);
            if (!Head.isEmpty(head) && Head.slot(head) == slot) {
                return true;
            }
        }
        return false;
    }
}
