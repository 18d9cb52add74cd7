package io.belay.zookeeper;

import io.belay.node.Capacity;
import io.belay.spi.ClaimId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The way in which paths of resources and names of nodes are written. */
final class NodeNames {
    /** Client, number, weight, capacity, and what ZooKeeper counts; that may be negative after 2^31 nodes. */
    private static final Pattern CLAIM =
            Pattern.compile("([0-9a-f]{1,16})_(-?\\d{1,19})_(\\d{1,10})_(\\d{1,10})_(-?\\d{1,10})");

    private static final String CAPACITY = "capacity-";

    private NodeNames() {}

    /** Returns the path of a resource's container: every byte that could mean something elsewhere is escaped. */
    static String directory(String root, String resource) {
        StringBuilder path = new StringBuilder(root).append('/');
        for (byte b : resource.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (plain || c == '-' || c == '_' || c == ':') {
                path.append(c);
            } else {
                path.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return path.toString();
    }

    /** Returns the resource whose container is called so under the root; empty if none is. */
    static Optional<String> resource(String container) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(container.length());
        try {
            for (int i = 0; i < container.length(); i++) {
                char c = container.charAt(i);
                bytes.write(c == '%' ? HexFormat.fromHexDigits(container, i + 1, i + 3) : c);
                i += c == '%' ? 2 : 0;
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
        String resource = bytes.toString(StandardCharsets.UTF_8);
        // What was not written so, byte for byte, was not written by Belay.
        return directory("", resource).equals("/" + container) ? Optional.of(resource) : Optional.empty();
    }

    /** Returns the path of the node that says the layout: no resource has it, as the dot would be escaped. */
    static String layout(String root) {
        return root + "/.layout";
    }

    /** Returns the name of a claim's node, up to the number that ZooKeeper adds. */
    static String claim(ClaimId id, int weight, int capacity) {
        return Long.toHexString(id.client()) + "_" + id.number() + "_" + weight + "_" + capacity + "_";
    }

    /** Returns the name of the node that says a capacity. */
    static String capacity(Capacity capacity) {
        return CAPACITY + capacity.counted((int) capacity.granted()).text();
    }

    /** Reads the name of a claim's node; empty if it is none. */
    static Optional<Claim> parse(String name) {
        Matcher matcher = CLAIM.matcher(name);
        try {
            return matcher.matches()
                    ? Optional.of(new Claim(
                            name,
                            ClaimId.of(Long.parseUnsignedLong(matcher.group(1), 16), Long.parseLong(matcher.group(2))),
                            Integer.parseInt(matcher.group(3)),
                            Integer.parseInt(matcher.group(4)),
                            Integer.parseInt(matcher.group(5))))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Reads the name of a node that says a capacity; empty if it is none. */
    static Optional<Capacity> parseCapacity(String name, int version) {
        return name.startsWith(CAPACITY)
                ? Capacity.parse(name.substring(CAPACITY.length()), version)
                : Optional.empty();
    }

    /**
     * The name of a claim's node.
     *
     * @param weight the weight with which it entered
     * @param count ZooKeeper's number, which wraps
     */
    record Claim(String name, ClaimId id, int weight, int capacity, int count) {}
}
