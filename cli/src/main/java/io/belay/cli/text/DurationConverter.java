package io.belay.cli.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A reader of durations as people write them: 500us, 2ms, 1.5s, 1m, 2h. It refuses a number without a unit. */
public class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([+-]?(?=\\.?\\d)\\d{0,12}(?:\\.\\d{0,9})?)\\s*([a-zA-Z]*)");
    private static final Map<String, Duration> UNITS = Map.of(
            "us", Duration.ofNanos(1_000),
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Duration LONGEST = Duration.ofDays(365);

    /** A reader of durations that takes zero, too. */
    public static final class OrZero extends DurationConverter {
        public OrZero() {
            super(BigDecimal.ZERO, "must not be negative");
        }
    }

    /** A reader of durations that takes a number without a unit for seconds, as flock does, and zero, too. */
    public static final class Seconds extends DurationConverter {
        public Seconds() {
            super(BigDecimal.ZERO, "must not be negative");
        }

        @Override
        public Duration convert(String text) {
            return super.convert(text.matches("[0-9.]+") ? text + "s" : text);
        }
    }

    private final BigDecimal shortest;
    private final String tooShort;

    public DurationConverter() {
        this(BigDecimal.ONE, "must be longer than zero");
    }

    private DurationConverter(BigDecimal shortest, String tooShort) {
        this.shortest = shortest;
        this.tooShort = tooShort;
    }

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration; write it as 2ms, 1.5s or 1m");
        }
        String number = matcher.group(1);
        BigDecimal amount = new BigDecimal(number);
        if (amount.signum() < shortest.signum()) { // whatever its unit
            throw new TypeConversionException("'" + text + "' " + tooShort);
        }
        Duration unit = UNITS.get(matcher.group(2));
        if (unit == null) {
            throw new TypeConversionException(
                    matcher.group(2).isEmpty()
                            ? "'" + text + "' has no unit; write " + number + "ms, " + number + "s or " + number + "m"
                            : "'" + text + "' has an unknown unit; known are us, ms, s, m, h and d");
        }
        BigDecimal nanos = amount.multiply(BigDecimal.valueOf(unit.toNanos()));
        if (nanos.compareTo(shortest) < 0) {
            throw new TypeConversionException("'" + text + "' " + tooShort);
        }
        if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
            throw new TypeConversionException("'" + text + "' is longer than 365 days");
        }
        return Duration.ofNanos(nanos.longValue());
    }
}
