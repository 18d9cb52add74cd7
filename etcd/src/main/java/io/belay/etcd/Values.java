package io.belay.etcd;

import io.belay.node.Details;
import io.belay.node.DetailsText;
import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of claims' keys: the claim's number, and its details. */
final class Values {
    private static final Pattern NUMBER = Pattern.compile("claim=([0-9a-f]{16})&.*", Pattern.DOTALL);

    private Values() {}

    static ByteSequence of(long number, Details details) {
        ByteSequence head =
                ByteSequence.from("claim=" + HexFormat.of().toHexDigits(number) + "&", StandardCharsets.US_ASCII);
        return head.concat(ByteSequence.from(DetailsText.encode(details)));
    }

    /** @throws IllegalArgumentException if it is no such value */
    static long number(ByteSequence value) {
        Matcher matcher = NUMBER.matcher(value.toString(StandardCharsets.UTF_8));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no value of a claim");
        }
        return Long.parseUnsignedLong(matcher.group(1), 16);
    }

    /** @throws IllegalArgumentException if it is no such value */
    static Details details(ByteSequence value) {
        return DetailsText.decode(value.getBytes());
    }
}
