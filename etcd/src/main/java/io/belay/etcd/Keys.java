package io.belay.etcd;

import io.belay.spi.ClaimId;
import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a store: {@code PREFIXclaims/NAME/CLIENT-NUMBER-CAPACITY-STAY} for each claim, {@code
 * PREFIXcapacities/NAME} for a capacity that was set, and {@code PREFIXended/CLIENT-NUMBER} for claims that may not enter
 * any more.
 */
final class Keys {
    private static final Pattern CLAIM = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})-(\\d{1,10})-(\\d{1,9})");

    private final String prefix;

    Keys(String prefix) {
        this.prefix = prefix;
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    String prefix() {
        return prefix;
    }

    /** What all claims of a resource begin with. */
    ByteSequence claims(String resource) {
        return bytes(prefix + "claims/" + escape(resource) + "/");
    }

    /** What all stays of a claim begin with. */
    ByteSequence stays(String resource, ClaimId id) {
        return bytes(prefix + "claims/" + escape(resource) + "/" + name(id) + "-");
    }

    String claim(String resource, ClaimId id, int capacity, int stay) {
        return prefix + "claims/" + escape(resource) + "/" + name(id) + "-" + capacity + "-" + stay;
    }

    ByteSequence capacity(String resource) {
        return bytes(prefix + "capacities/" + escape(resource));
    }

    ByteSequence ended(ClaimId id) {
        return bytes(prefix + "ended/" + name(id));
    }

    private static String name(ClaimId id) {
        return String.format("%016x-%016x", id.client(), id.number());
    }

    /** What a claim's key says. */
    record Claim(ClaimId id, int capacity, int stay) {}

    /** Reads a claim's key; null if it is none. */
    static @Nullable Claim parse(String key) {
        Matcher name = CLAIM.matcher(key.substring(key.lastIndexOf('/') + 1));
        if (!name.matches() || Long.parseLong(name.group(3)) > Integer.MAX_VALUE) {
            return null;
        }
        ClaimId id = new ClaimId(Long.parseUnsignedLong(name.group(1), 16), Long.parseUnsignedLong(name.group(2), 16));
        return new Claim(id, Integer.parseInt(name.group(3)), Integer.parseInt(name.group(4)));
    }

    /** A slash would make it the beginning of other names, and control characters are for nobody's terminal. */
    private static String escape(String name) {
        StringBuilder escaped = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/' || c == '%' || c < ' ' || c == 0x7f) {
                escaped.append(String.format("%%%02X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
