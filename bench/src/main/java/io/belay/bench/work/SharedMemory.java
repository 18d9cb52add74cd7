package io.belay.bench.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The numbers that several processes see, in a mapped file; each number has a cache line to itself. */
public final class SharedMemory {
    /** The number of numbers that there are. */
    public static final int SIZE = 256;

    private static final int STRIDE = 64;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer bytes;

    private SharedMemory(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Maps a file, and makes it if need be; all numbers are zero then. */
    public static SharedMemory map(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedMemory(channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) SIZE * STRIDE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a number, in no order with anything else. */
    long plain(int index) {
        return (long) LONGS.getOpaque(bytes, index * STRIDE);
    }

    /** Writes a number, in no order with anything else. */
    void plain(int index, long value) {
        LONGS.setOpaque(bytes, index * STRIDE, value);
    }

    long get(int index) {
        return (long) LONGS.getVolatile(bytes, index * STRIDE);
    }

    void set(int index, long value) {
        LONGS.setVolatile(bytes, index * STRIDE, value);
    }
}
