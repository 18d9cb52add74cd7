package io.belay.internal.machine;

import java.util.Arrays;

/**
 * All states seen so far, numbered in the order in which they were found, each with the one that it was reached from and by which
 * of its moves. A state is a row of numbers, of which a key of 128 bits is kept.
 */
final class Visited {
    private long[] high = new long[1 << 12];
    private long[] low = new long[1 << 12];
    private int[] parents = new int[1 << 12];
    private short[] moves = new short[1 << 12];
    private int[] table = new int[1 << 13];
    private int size;

    Visited() {
        Arrays.fill(table, -1);
    }

    int size() {
        return size;
    }

    int parent(int state) {
        return parents[state];
    }

    int move(int state) {
        return moves[state];
    }

    /** Adds the state unless it is there; returns whether it was new. */
    boolean add(long[] row, int parent, int move) {
        long first = 0x452821E638D01377L;
        long second = 0xBE5466CF34E90C6CL;
        for (long x : row) {
            first = (first ^ x) * 0x9E3779B97F4A7C15L;
            first ^= first >>> 29;
            second = Long.rotateLeft(second + x, 31) * 0xC2B2AE3D27D4EB4FL;
            second ^= second >>> 33;
        }
        int slot = slot(first, second);
        if (table[slot] >= 0) {
            return false;
        }
        if (size == high.length) {
            high = Arrays.copyOf(high, size * 2);
            low = Arrays.copyOf(low, size * 2);
            parents = Arrays.copyOf(parents, size * 2);
            moves = Arrays.copyOf(moves, size * 2);
        }
        high[size] = first;
        low[size] = second;
        parents[size] = parent;
        moves[size] = (short) move;
        table[slot] = size++;
        if (size > table.length / 2) {
            rehash();
        }
        return true;
    }

    private int slot(long first, long second) {
        int mask = table.length - 1;
        int slot = (int) (first ^ second >>> 32) & mask;
        while (table[slot] >= 0 && (high[table[slot]] != first || low[table[slot]] != second)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rehash() {
        table = new int[table.length * 2];
        Arrays.fill(table, -1);
        for (int i = 0; i < size; i++) {
            table[slot(high[i], low[i])] = i;
        }
    }
}
