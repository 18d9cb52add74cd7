package io.belay.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** The rules for names, checked where users pass them in. */
public final class NameRules {
    private static final int MAX_BYTES = 512;

    /** What no user's name has. */
    private static final String HIDDEN = "\u0001";

    private NameRules() {}

    /** Returns the full name, or throws an exception that says what is wrong with it. */
    public static String check(String what, String prefix, String name) {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty; give it 1 to " + MAX_BYTES + " bytes");
        }
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            int c = name.codePointAt(i);
            boolean lone = Character.getType(c) == Character.SURROGATE;
            if (Character.isISOControl(c) || lone) {
                throw new IllegalArgumentException(what + " has "
                        + (lone ? "half a surrogate pair" : "a control character") + " (0x" + Integer.toHexString(c)
                        + ") at position " + i + "; use visible characters");
            }
        }
        String full = prefix + name;
        int bytes = bytes(full);
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    what + " has " + bytes + " bytes, namespaces included; at most " + MAX_BYTES + " are possible");
        }
        return full;
    }

    /** Returns whether a name, namespaces included, is one that users may choose: one of {@link #hidden} is not. */
    public static boolean isVisible(String name) {
        return Objects.requireNonNull(name, "name")
                        .codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)
                && bytes(name) <= MAX_BYTES;
    }

    /** Returns a name beside that of a user, which no user can choose, and which is no longer than a user's may be. */
    public static String hidden(String name, String purpose) {
        String full = Objects.requireNonNull(name, "name") + HIDDEN + Objects.requireNonNull(purpose, "purpose");
        if (bytes(full) <= MAX_BYTES) {
            return full;
        }
        // With two marks, it is none of those that fit.
        String end = HIDDEN + digest(name) + HIDDEN + purpose;
        return beginning(name, MAX_BYTES - bytes(end)) + end;
    }

    /** Returns as many of the first characters as have that many bytes at most, of a name that has more. */
    private static String beginning(String name, int most) {
        byte[] all = name.getBytes(StandardCharsets.UTF_8);
        int end = most;
        while ((all[end] & 0xc0) == 0x80) { // it is not the first byte of its character
            end--;
        }
        return new String(all, 0, end, StandardCharsets.UTF_8);
    }

    private static String digest(String name) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }
}
