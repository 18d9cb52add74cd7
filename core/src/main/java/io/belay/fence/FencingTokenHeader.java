package io.belay.fence;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The header by which a request or a message carries fencing tokens to those who have a guard of the data:
 * {@code Fencing-Token: stock:iphone=42}. Several are separated by commas, or are in several headers. Names are written as in
 * URLs, in UTF-8, with a percent sign before what is not a letter, a digit or one of {@code -_.*:/}.
 */
public final class FencingTokenHeader {
    /** The header's name. */
    public static final String NAME = "Fencing-Token";

    private FencingTokenHeader() {}

    /**
     * Returns the value of the header.
     *
     * @throws IllegalArgumentException if there is no token, or two of one lock
     */
    public static String format(Collection<FencingToken> tokens) {
        return FencingToken.inOrder(tokens).stream()
                .map(token -> encoded(token.lock()) + "=" + token.value())
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the tokens of a header's value, in the order of their locks' names.
     *
     * @throws IllegalArgumentException if it is no such value; the message says what is wrong with it
     */
    public static List<FencingToken> parse(String value) {
        Objects.requireNonNull(value, "value");
        List<FencingToken> tokens = new ArrayList<>();
        for (String part : value.split(",", -1)) {
            tokens.add(token(part.strip()));
        }
        return FencingToken.inOrder(tokens);
    }

    private static String encoded(String lock) {
        return URLEncoder.encode(lock, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%3A", ":")
                .replace("%2F", "/");
    }

    private static FencingToken token(String part) {
        int equals = part.indexOf('=');
        try {
            if (equals >= 0) {
                String lock = URLDecoder.decode(part.substring(0, equals).replace("+", "%2B"), StandardCharsets.UTF_8);
                return FencingToken.of(lock, Long.parseLong(part.substring(equals + 1)));
            }
        } catch (IllegalArgumentException e) {
            throw refused(part, e);
        }
        throw refused(part, null);
    }

    private static IllegalArgumentException refused(String part, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "'" + part + "' in the header " + NAME + " is no LOCK=TOKEN, as stock:iphone=42", cause);
    }
}
