package io.belay.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The range of the table's key that a page of names is read from: names are bytes, in the order of unsigned bytes. A cursor
 * is the last name that was read, in hexadecimal digits.
 *
 * @param from the least name
 * @param to what is above the greatest
 */
record NameRange(byte[] from, byte[] to) {
    /** The most names of a page. */
    static final int PAGE = 1_000;

    /** A byte that is in no name, as it is in no text in UTF-8, and is above all that are. */
    private static final byte ABOVE = (byte) 0xff;

    static NameRange of(String prefix, String cursor) {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] end = Arrays.copyOf(start, start.length + 1);
        end[start.length] = ABOVE;
        if (!cursor.isEmpty()) {
            start = next(HexFormat.of().parseHex(cursor));
        } else if (prefix.isEmpty()) {
            start = next(start); // the empty name is nobody's
        }
        return new NameRange(start, end);
    }

    /** Returns the least name that is greater than one. */
    private static byte[] next(byte[] name) {
        return Arrays.copyOf(name, name.length + 1);
    }

    /** Returns the cursor of the page after one; empty if that was the last one. */
    static Optional<String> cursor(List<byte[]> page) {
        return page.size() < PAGE
                ? Optional.empty()
                : Optional.of(HexFormat.of().formatHex(page.get(page.size() - 1)));
    }
}
