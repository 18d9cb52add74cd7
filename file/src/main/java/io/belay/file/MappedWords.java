package io.belay.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** 64-bit words in memory that several processes have mapped. Each lies at a multiple of eight. */
final class MappedWords {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private MappedWords() {}

    static long get(ByteBuffer memory, int at) {
        return (long) WORD.getVolatile(memory, at);
    }

    static void set(ByteBuffer memory, int at, long value) {
        WORD.setVolatile(memory, at, value);
    }

    static boolean compareAndSet(ByteBuffer memory, int at, long expected, long value) {
        return WORD.compareAndSet(memory, at, expected, value);
    }

    /** Raises a word to a value, unless it is there already. */
    static void raise(ByteBuffer memory, int at, long value) {
        long seen = get(memory, at);
        while (seen < value && !compareAndSet(memory, at, seen, value)) {
            seen = get(memory, at);
        }
    }
}
