package io.belay.jdbc;

import java.nio.charset.StandardCharsets;

/** The names of locks as bytes, which a database compares one by one, whatever its collation is. */
final class NameBytes {
    /** The length of the column, in both tables. */
    private static final int MOST = 512;

    private NameBytes() {}

    /**
     * Returns a name as bytes.
     *
     * @throws IllegalArgumentException if it is longer than its column: MySQL would cut it, and two names would be one
     */
    static byte[] of(String lock) {
        byte[] name = lock.getBytes(StandardCharsets.UTF_8);
        if (name.length > MOST) {
            throw new IllegalArgumentException("a lock's name has at most " + MOST + " bytes, and not " + name.length);
        }
        return name;
    }
}
