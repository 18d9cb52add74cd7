package io.belay.node;

import io.belay.spi.Owner;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** {@link Details} as a line of text, {@code name=value} with spaces between: people look into stores, too. */
public final class DetailsText {
    private DetailsText() {}

    /** Writes them. */
    public static byte[] encode(Details details) {
        Owner owner = details.owner();
        String text = "weight=" + details.weight()
                + " reweights=" + details.reweights()
                + " marked=" + details.marked()
                + " sticky=" + details.sticky()
                + " lease=" + details.lease()
                + " hold=" + details.hold()
                + " entered=" + details.entered()
                + " waiters=" + details.localWaiters()
                + " process=" + owner.process()
                + " client=" + quote(owner.client())
                + " host=" + quote(owner.host())
                + " thread=" + quote(owner.thread());
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String quote(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException if that is not what {@link #encode} has written; fields that it does not know, of
     *     a later version, are passed over
     */
    public static Details decode(byte[] bytes) {
        Map<String, String> fields = new HashMap<>();
        for (String field : new String(bytes, StandardCharsets.UTF_8).split(" ", -1)) {
            int equals = field.indexOf('=');
            fields.put(field.substring(0, Math.max(0, equals)), field.substring(equals + 1));
        }
        long weight = number(fields, "weight");
        if (weight < 1 || weight > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a claim of the weight " + weight);
        }
        return new Details(
                (int) weight,
                (int) number(fields, "reweights"),
                Boolean.parseBoolean(field(fields, "marked")),
                Boolean.parseBoolean(field(fields, "sticky")),
                number(fields, "lease"),
                number(fields, "hold"),
                number(fields, "entered"),
                (int) number(fields, "waiters"),
                new Owner(
                        text(fields, "client"),
                        text(fields, "host"),
                        number(fields, "process"),
                        text(fields, "thread")));
    }

    private static String text(Map<String, String> fields, String name) {
        return URLDecoder.decode(field(fields, name), StandardCharsets.UTF_8);
    }

    private static long number(Map<String, String> fields, String name) {
        String value = field(fields, name);
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As wrong as a negative one.
        }
        throw new IllegalArgumentException("'" + name + "' is no count");
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no '" + name + "'");
        }
        return value;
    }
}
