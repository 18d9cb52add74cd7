package io.belay.etcd;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A part of a listing: the keys that begin with {@code scope}, from {@code start} on. Of each key it has the bytes, one in
 * a character.
 *
 * <p>A server steps over all keys of a range, to count them, however few it is to return. So a range is kept about as
 * narrow as the keys of one page lie together: it shrinks where there are more of them, and grows where there are none.
 *
 * @param scope what the keys begin with
 * @param start the first key that counts; begins with {@code scope}
 */
record KeyRange(String scope, String start) {
    private static final char LAST_BYTE = 0xff;

    /** Returns the range of all keys that begin so. */
    static KeyRange all(ByteSequence start) {
        String bytes = text(start);
        return new KeyRange(bytes, bytes);
    }

    /** Reads what {@link #cursor} has written. */
    static KeyRange parse(String cursor) {
        int colon = cursor.indexOf(':');
        String start = cursor.substring(colon + 1);
        return new KeyRange(start.substring(0, Integer.parseInt(cursor.substring(0, colon))), start);
    }

    String cursor() {
        return scope.length() + ":" + start;
    }

    private static String text(ByteSequence key) {
        return new String(key.getBytes(), StandardCharsets.ISO_8859_1);
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.ISO_8859_1);
    }

    ByteSequence first() {
        return bytes(start);
    }

    /** Returns the first key behind the range. */
    ByteSequence end() {
        return bytes(behind(scope));
    }

    /** Returns what comes before all keys that are behind those that begin so, and behind all that do. */
    private static String behind(String scope) {
        int last = scope.length() - 1;
        while (scope.charAt(last) == LAST_BYTE) {
            last--;
        }
        return scope.substring(0, last) + (char) (scope.charAt(last) + 1);
    }

    /**
     * Returns the range that follows a page which did not hold all keys of this one: about as wide as half of the page.
     *
     * @param next where it begins
     */
    static KeyRange afterFull(List<ByteSequence> page, ByteSequence next) {
        String middle = text(page.get(page.size() / 2));
        String end = text(next);
        // One of the halves may lie across the border of two wide ranges.
        int same = Math.max(same(text(page.get(0)), middle), same(middle, end));
        return new KeyRange(end.substring(0, Math.min(same, end.length())), end);
    }

    /** Returns how many characters two keys begin with alike. */
    private static int same(String one, String other) {
        int same = Arrays.mismatch(one.toCharArray(), other.toCharArray());
        return same < 0 ? one.length() : same;
    }

    /**
     * Returns the range that follows this one, all of whose keys were read: one of the same kind, or a wider one if there
     * was nothing in this one.
     *
     * @param root what all keys of the listing begin with
     * @return empty if all of those were read
     */
    Optional<KeyRange> afterAll(boolean any, String root) {
        String next = behind(scope);
        if (!next.startsWith(root)) {
            return Optional.empty();
        }
        boolean wider = !any && start.equals(scope);
        return Optional.of(new KeyRange(wider ? next.substring(0, next.length() - 1) : next, next));
    }
}
