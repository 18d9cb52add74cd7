package io.belay.internal.gate;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for names, checked where users pass them in. */
public final class NameRules {
    private static final int MAX_BYTES = 512;

    private NameRules() {}

    /** Returns the full name, or throws an exception that says what is wrong with it. */
    public static String check(String what, String prefix, String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty; give it 1 to " + MAX_BYTES + " bytes");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean lone = Character.isSurrogate(c) && !isPaired(name, i);
            if (Character.isISOControl(c) || lone) {
                throw new IllegalArgumentException(what + " has "
                        + (lone ? "half a surrogate pair" : "a control character") + " (0x" + Integer.toHexString(c)
                        + ") at position " + i + "; use visible characters");
            }
        }
        String full = prefix + name;
        int bytes = full.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    what + " has " + bytes + " bytes, namespaces included; at most " + MAX_BYTES + " are possible");
        }
        return full;
    }

    /** Returns whether a name is of the form that users choose: one of {@link #hidden} is not. */
    public static boolean isVisible(String name) {
        return name.chars().noneMatch(Character::isISOControl);
    }

    /** Returns a name beside that of a user, which no user can choose. */
    public static String hidden(String name, String purpose) {
        return name + '\u0001' + purpose;
    }

    private static boolean isPaired(String name, int at) {
        return Character.isHighSurrogate(name.charAt(at))
                ? at + 1 < name.length() && Character.isLowSurrogate(name.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(name.charAt(at - 1));
    }
}
