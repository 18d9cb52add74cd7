package io.belay.file;

import java.nio.charset.StandardCharsets;

/** Names of resources as bytes, and their hashes. The hash is a part of the format: all processes must agree on it. */
final class ResourceNames {
    /** The longest name, in bytes. */
    static final int MAX = 4096;

    private ResourceNames() {}

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    static String string(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    static long hash(String text) {
        return hash(bytes(text));
    }

    /** Returns the hash of bytes: FNV-1a, and the finish of MurmurHash3, since the low bits choose the bucket. */
    static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }

    static int bucket(byte[] name) {
        return (int) hash(name) & (RootTable.BUCKETS - 1);
    }
}
