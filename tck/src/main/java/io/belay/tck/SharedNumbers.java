package io.belay.tck;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Numbers that processes of a test share without a store, in a file that each maps; all zero at first. Thread-safe. */
final class SharedNumbers {
    private static final int MOST = 16;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;

    SharedNumbers(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, MOST * Long.BYTES);
        }
    }

    long get(int index) {
        return (long) LONGS.getVolatile(memory, index * Long.BYTES);
    }

    void set(int index, long value) {
        LONGS.setVolatile(memory, index * Long.BYTES, value);
    }

    /** Returns what it was before. */
    long getAndSet(int index, long value) {
        return (long) LONGS.getAndSet(memory, index * Long.BYTES, value);
    }

    /** Returns what it was before. */
    long getAndAdd(int index, long more) {
        return (long) LONGS.getAndAdd(memory, index * Long.BYTES, more);
    }
}
