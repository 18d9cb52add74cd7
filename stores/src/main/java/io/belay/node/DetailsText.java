package io.belay.node;

import io.belay.spi.Owner;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The text in which a node says its {@link Details}, for people to read, too: {@code weight=1&reweights=0&...}, with
 * the owner's texts percent-encoded. A reader passes over fields that it does not know, and has a default for those
 * that are missing, so that clients of different versions read each other; only the weight must be there. What is not
 * known of the owner, on whose behalf and since when, is left out.
 */
public final class DetailsText {
    private DetailsText() {}

    /** Returns the text, in UTF-8. */
    public static byte[] encode(Details details) {
        Objects.requireNonNull(details, "details");
        Owner owner = details.owner();
        String text = "weight=" + details.weight()
                + "&reweights=" + details.reweights()
                + "&marked=" + details.marked()
                + "&sticky=" + details.sticky()
                + "&lease=" + details.lease()
                + "&hold=" + details.fixedLease()
                + "&entered=" + details.entered()
                + "&waiters=" + details.localWaiters()
                + "&process=" + owner.process()
                + "&host=" + encode(owner.host())
                + "&client=" + encode(owner.client())
                + "&thread=" + encode(owner.thread())
                + (owner.behalf().isEmpty() ? "" : "&behalf=" + encode(owner.behalf()))
                + (owner.since() == 0 ? "" : "&since=" + owner.since());
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException if it is none that {@link #encode(Details)} could have made
     */
    public static Details decode(byte[] text) {
        Objects.requireNonNull(text, "text");
        Map<String, String> fields = fields(text);
        int weight = (int) number(fields, "weight", 0, Integer.MAX_VALUE);
        if (weight < 1) {
            throw new IllegalArgumentException("no details of a claim: it has no weight");
        }
        return new Details(
                weight,
                (int) number(fields, "reweights", 0, Integer.MAX_VALUE),
                flag(fields, "marked"),
                flag(fields, "sticky"),
                number(fields, "lease", 0, Long.MAX_VALUE / 1024),
                number(fields, "hold", 0, Long.MAX_VALUE / 1024),
                number(fields, "entered", 0, Long.MAX_VALUE / 1024),
                (int) number(fields, "waiters", 0, Integer.MAX_VALUE),
                Owner.of(
                                fields.getOrDefault("client", ""),
                                fields.getOrDefault("host", ""),
                                number(fields, "process", Long.MIN_VALUE, Long.MAX_VALUE),
                                fields.getOrDefault("thread", ""))
                        .withThread(fields.getOrDefault("thread", ""), fields.getOrDefault("behalf", ""))
                        .withSince(number(fields, "since", 0, Long.MAX_VALUE)));
    }

    private static Map<String, String> fields(byte[] text) {
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("no details of a claim: it is no UTF-8", e);
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : decoded.split("&", -1)) {
            int equals = field.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("no details of a claim: a field is not written NAME=VALUE");
            }
            fields.put(
                    field.substring(0, equals), URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    private static boolean flag(Map<String, String> fields, String name) {
        return "true".equals(fields.get(name));
    }

    private static long number(Map<String, String> fields, String name, long least, long most) {
        String text = fields.getOrDefault(name, "0");
        long number = Long.parseLong(text);
        if (number < least || number > most) {
            throw new IllegalArgumentException("no details of a claim: " + name + " is out of its bounds");
        }
        return number;
    }
}
