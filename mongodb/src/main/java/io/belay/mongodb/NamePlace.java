package io.belay.mongodb;

import io.belay.spi.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBinary;

/**
 * A place in the order that MongoDB has binary values in: the shorter before the longer, those of one length byte by byte. So
 * what begins with a prefix is a range of its own for each length, and where a page ends outside of these ranges the next
 * one begins with the next range. A cursor is such a place, in hexadecimal digits.
 *
 * @param bytes a name in UTF-8, or what could be one
 */
record NamePlace(byte[] bytes) {
    /** The most names of a page. */
    static final int PAGE = 1_000;

    /** Returns where the names with a prefix begin. */
    static NamePlace first(String prefix) {
        return new NamePlace(prefix.getBytes(StandardCharsets.UTF_8));
    }

    static NamePlace of(String cursor) {
        return new NamePlace(HexFormat.of().parseHex(cursor));
    }

    BsonBinary id() {
        return new BsonBinary(bytes);
    }

    /** Makes a page of what was read, in MongoDB's order: of the names with the prefix, without the one that is nobody's. */
    static Store.NamePage page(String prefix, List<byte[]> read) {
        List<String> names = read.stream()
                .map(name -> new String(name, StandardCharsets.UTF_8))
                .filter(name -> !name.isEmpty() && name.startsWith(prefix))
                .toList();
        return Store.NamePage.of(
                names, read.size() < PAGE ? Optional.empty() : Optional.of(after(prefix, read.get(PAGE - 1))));
    }

    /** Returns where to go on: with the last name, which then stands in two pages, or where the prefix's next names may be. */
    private static String after(String prefix, byte[] last) {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        int order = Arrays.compareUnsigned(last, 0, start.length, start, 0, start.length);
        byte[] place = order == 0 ? last : Arrays.copyOf(start, order < 0 ? last.length : last.length + 1);
        return HexFormat.of().formatHex(place);
    }
}
