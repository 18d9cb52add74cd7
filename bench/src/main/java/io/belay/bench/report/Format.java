package io.belay.bench.report;

import java.util.Locale;

/** A format of figures for people. */
public final class Format {
    private static final double THOUSAND = 1_000;
    private static final double MILLION = 1e6;

    private Format() {}

    /** Returns a figure with as many digits as are worth reading, and commas; a dash for NaN. */
    public static String figure(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return "-";
        } else if (size >= 100 || value == Math.rint(value)) {
            return of("%,.0f", value);
        } else {
            return of(size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
        }
    }

    /** Returns a median with its range behind it; only the median if there is no range. */
    public static String spread(Spread spread) {
        return spread.min() == spread.max() || !spread.exists()
                ? figure(spread.median())
                : figure(spread.median()) + " (" + figure(spread.min()) + " - " + figure(spread.max()) + ")";
    }

    /** Returns a figure as short as it can be, for the ends of bars: 9.3k, 92k, 1.2M. */
    public static String brief(double value) {
        if (value >= MILLION) {
            return figure(value / MILLION) + "M";
        }
        return value >= 10 * THOUSAND ? figure(value / THOUSAND) + "k" : figure(value);
    }

    /** Formats in one locale everywhere. */
    public static String of(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
