package io.belay.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes being written, in an array that grows. Big-endian, as a {@link java.nio.ByteBuffer} reads them. */
final class Sink {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    byte[] bytes = new byte[1024];
    int length;

    void reset() {
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

    void putByte(int value) {
        int at = claim(1);
        bytes[at] = (byte) value;
    }

    void putInt(int value) {
        int at = claim(4);
        INT.set(bytes, at, value);
    }

    void putIntAt(int at, int value) {
        INT.set(bytes, at, value);
    }

    void putLong(long value) {
        int at = claim(8);
        LONG.set(bytes, at, value);
    }

    void putBytes(byte[] from, int start, int count) {
        int at = claim(count);
        System.arraycopy(from, start, bytes, at, count);
    }

    /** A text of at most 255 bytes of UTF-8. */
    void putText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length > 255) {
            throw new IllegalArgumentException("a text of " + encoded.length + " bytes");
        }
        putByte(encoded.length);
        putBytes(encoded, 0, encoded.length);
    }
}
