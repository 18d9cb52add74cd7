package io.belay.support;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A time as the URLs of stores have it: {@code 500ms}, {@code 2s} or {@code 1m}. */
public final class UrlDuration {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m)");

    private UrlDuration() {}

    /** Returns the time; empty if the text is none. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = TEXT.matcher(Objects.requireNonNull(text, "text"));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    default -> Duration.ofMinutes(amount);
                });
    }
}
