package io.belay.etcd;

import io.belay.spi.ClaimId;
import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a store: {@code PREFIXclaims/NAME/CLIENT-SLOT-CAPACITY-STAY} for each claim, whose number is in the
 * value, {@code PREFIXcapacities/NAME} for a capacity that was set, {@code PREFIXended/CLIENT-NUMBER} for claims that
 * may not enter any more, and {@code PREFIXlayout}, which says that this is how they are called.
 */
final class Keys {
    private static final Pattern CLAIM = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})-(\\d{1,10})-([01])");

    private static final Pattern ESCAPED = Pattern.compile("%([0-9A-F]{2})");

    private static final String CLAIMS = "claims/";
    private static final String CAPACITIES = "capacities/";

    /** The character after the slash that ends a name in the keys of its claims. */
    private static final char BEHIND_SLASH = '/' + 1;

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

    /** Returns what the keys of all claims begin with whose resources' names begin so. */
    ByteSequence claimsFrom(String names) {
        return bytes(prefix + CLAIMS + escape(names));
    }

    /** Returns what the keys of all capacities begin with whose resources' names begin so. */
    ByteSequence capacitiesFrom(String names) {
        return bytes(prefix + CAPACITIES + escape(names));
    }

    /** Returns the name of the resource to which a key belongs; null if that is none of a claim or a capacity. */
    @Nullable
    String name(ByteSequence key) {
        String text = key.toString(StandardCharsets.UTF_8);
        if (text.startsWith(prefix + CAPACITIES)) {
            return unescape(text.substring(prefix.length() + CAPACITIES.length()), key);
        }
        int from = prefix.length() + CLAIMS.length();
        int slash = text.lastIndexOf('/');
        return text.startsWith(prefix + CLAIMS) && slash >= from && parse(text) != null
                ? unescape(text.substring(from, slash), key)
                : null;
    }

    /** Returns where a listing goes on behind a key: where that is a claim's, behind all claims of the same name. */
    ByteSequence behind(ByteSequence key) {
        String text = key.toString(StandardCharsets.UTF_8);
        return text.startsWith(prefix + CLAIMS) && name(key) != null
                ? bytes(text.substring(0, text.lastIndexOf('/')) + BEHIND_SLASH)
                : key.concat(bytes("\0"));
    }

    /** Returns what the keys of all claims of a resource begin with. */
    ByteSequence claims(String resource) {
        return bytes(prefix + CLAIMS + escape(resource) + "/");
    }

    /** Returns what all keys in one slot of a client begin with. */
    ByteSequence stays(String resource, long client, long slot) {
        return bytes(prefix + CLAIMS + escape(resource) + "/" + name(client, slot) + "-");
    }

    String claim(String resource, long client, long slot, int capacity, int stay) {
        return prefix + CLAIMS + escape(resource) + "/" + name(client, slot) + "-" + capacity + "-" + stay;
    }

    ByteSequence capacity(String resource) {
        return bytes(prefix + CAPACITIES + escape(resource));
    }

    ByteSequence layout() {
        return bytes(prefix + "layout");
    }

    ByteSequence ended(ClaimId id) {
        return bytes(prefix + "ended/" + name(id.client(), id.number()));
    }

    private static String name(long client, long number) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(client) + "-" + hex.toHexDigits(number);
    }

    /** The parts of a claim's key. */
    record Claim(long client, long slot, int capacity, int stay) {}

    /** Reads a claim's key; null if it is none. */
    static @Nullable Claim parse(String key) {
        Matcher name = CLAIM.matcher(key.substring(key.lastIndexOf('/') + 1));
        if (!name.matches() || Long.parseLong(name.group(3)) > Integer.MAX_VALUE) {
            return null;
        }
        return new Claim(
                Long.parseUnsignedLong(name.group(1), 16),
                Long.parseUnsignedLong(name.group(2), 16),
                Integer.parseInt(name.group(3)),
                Integer.parseInt(name.group(4)));
    }

    /** Escapes a name: a slash would make it the beginning of others, and control characters confuse terminals. */
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

    /** Returns the name that is escaped so in a key; null if Belay writes none so. */
    private static @Nullable String unescape(String escaped, ByteSequence key) {
        String name = ESCAPED.matcher(escaped)
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
        boolean exact = bytes(key.toString(StandardCharsets.UTF_8)).equals(key);
        return exact && escape(name).equals(escaped) ? name : null;
    }
}
