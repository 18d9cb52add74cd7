package io.belay.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Bytes being written, in an array that grows. Big-endian, as a {@link java.nio.ByteBuffer} reads them. Not thread-safe. */
public final class Sink {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[1024];
    private int length;

    /** Returns what was written, in an array that may be longer than {@link #length()} and is written to again. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns how many bytes were written. */
    public int length() {
        return length;
    }

    /** Returns a copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** Forgets what was written. */
    public void reset() {
        length = 0;
    }

    private int claim(int more) {
        int at = length;
        length += more;
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, bytes.length * 2));
        }
        return at;
    }

    /** Writes a byte. */
    public void putByte(int value) {
        int at = claim(1);
        bytes[at] = (byte) value;
    }

    /** Writes four bytes. */
    public void putInt(int value) {
        int at = claim(4);
        INT.set(bytes, at, value);
    }

    /** Writes four bytes in the place of others. */
    public void putIntAt(int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Writes eight bytes. */
    public void putLong(long value) {
        int at = claim(8);
        LONG.set(bytes, at, value);
    }

    /** Writes some bytes of an array. */
    public void putBytes(byte[] from, int start, int count) {
        Objects.requireNonNull(from, "from");
        int at = claim(count);
        System.arraycopy(from, start, bytes, at, count);
    }

    /** Writes a text of at most 255 bytes of UTF-8, behind their number. */
    public void putText(String text) {
        Objects.requireNonNull(text, "text");
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length > 255) {
            throw new IllegalArgumentException("a text of " + encoded.length + " bytes");
        }
        putByte(encoded.length);
        putBytes(encoded, 0, encoded.length);
    }
}
