package io.belay.internal;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The hashes of texts that were seen: 8 to 32 bytes for each, and not the texts. Two of a million texts have the same hash
 * of 64 bits in one of 40 million listings, and then the second is taken for the first; a secret start keeps anybody from
 * choosing such texts. Not thread-safe.
 */
final class SeenHashes {
    private final long start = ThreadLocalRandom.current().nextLong();
    private long[] table = new long[64];
    private int size;

    /** Adds a text; returns whether it was not there. */
    boolean add(String text) {
        if (2 * size >= table.length) {
            long[] old = table;
            table = new long[2 * old.length];
            for (long hash : old) {
                if (hash != 0) {
                    put(hash);
                }
            }
        }
        boolean added = put(hash(text));
        size += added ? 1 : 0;
        return added;
    }

    private boolean put(long hash) {
        int mask = table.length - 1;
        int at = (int) hash & mask;
        while (table[at] != 0 && table[at] != hash) {
            at = at + 1 & mask;
        }
        boolean free = table[at] == 0;
        table[at] = hash;
        return free;
    }

    /** Mixes each character into all bits; zero stands for a free place of the table. */
    private long hash(String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 29;
        }
        hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }
}
