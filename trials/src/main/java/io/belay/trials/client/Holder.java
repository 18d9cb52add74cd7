package io.belay.trials.client;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The client that was granted a lock last, and the threads that wait, in memory that all processes share: so that
 * faults can strike whoever holds it, or has waited for it for longest. Each thread writes into a place of its
 * own; what is read may be a moment old.
 */
public final class Holder {
    private static final int CLIENTS = 8;
    private static final int THREADS = 20;
    /** The bytes that say whom the last grant was to, the hash of the lock's name, and when the grant was. */
    private static final int HEAD = 2 * Integer.BYTES + Long.BYTES;
    /** The bytes that say when a thread began to wait, 0 if it does not, and for which lock. */
    private static final int PLACE = 2 * Long.BYTES;

    private final MappedByteBuffer memory;
    private final int index;

    private Holder(MappedByteBuffer memory, int index) {
        this.memory = memory;
        this.index = index;
    }

    /** Opens the memory as the client of this index. */
    public static Holder open(Path directory, int index) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("holder"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            int size = HEAD + CLIENTS * THREADS * PLACE;
            return new Holder(file.map(FileChannel.MapMode.READ_WRITE, 0, size), index);
        }
    }

    void waits(int thread, String name) {
        int at = place(index, thread);
        memory.putInt(at + Long.BYTES, name.hashCode());
        memory.putLong(at, System.nanoTime());
    }

    void granted(int thread, String name) {
        givesUp(thread);
        memory.putInt(0, index);
        memory.putInt(Integer.BYTES, name.hashCode());
        memory.putLong(2 * Integer.BYTES, System.nanoTime());
    }

    void givesUp(int thread) {
        memory.putLong(place(index, thread), 0);
    }

    /** Waits until a lock is granted, but no longer than that: whoever is struck then has just begun to hold it. */
    public void awaitGrant(long nanos) throws InterruptedException {
        long now = System.nanoTime();
        while (memory.getLong(2 * Integer.BYTES) - now < 0 && System.nanoTime() - now < nanos) {
            Thread.sleep(1);
        }
    }

    /** The index of the client that was granted a lock last. */
    public int get() {
        return memory.getInt(0);
    }

    /** The index of another client that has waited for that lock for longest; -1 if none does. */
    public int firstWaiter() {
        int holder = get();
        int name = memory.getInt(Integer.BYTES);
        int first = -1;
        long longest = -1;
        long now = System.nanoTime();
        for (int client = 0; client < CLIENTS; client++) {
            for (int thread = 0; thread < THREADS; thread++) {
                int at = place(client, thread);
                long since = memory.getLong(at);
                if (since != 0 && client != holder && memory.getInt(at + Long.BYTES) == name && now - since > longest) {
                    longest = now - since;
                    first = client;
                }
            }
        }
        return first;
    }

    private static int place(int client, int thread) {
        return HEAD + (client * THREADS + thread) * PLACE;
    }
}
