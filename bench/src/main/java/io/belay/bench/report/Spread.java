package io.belay.bench.report;

import java.util.Collection;

/**
 * The middle and the ends of some figures; all NaN if there are none. A figure that is NaN does not count.
 *
 * @param median the figure in the middle, or the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 */
public record Spread(double median, double min, double max) {
    public static Spread of(Collection<Double> figures) {
        double[] sorted = figures.stream()
                .mapToDouble(Double::doubleValue)
                .filter(figure -> !Double.isNaN(figure))
                .sorted()
                .toArray();
        int n = sorted.length;
        if (n == 0) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        return new Spread(median, sorted[0], sorted[n - 1]);
    }

    /** Returns whether there was any figure. */
    public boolean exists() {
        return !Double.isNaN(median);
    }
}
