package io.belay.cli.doctor;

import io.belay.cli.text.Text;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A chart of round trips: how many took how long. Each line's times are as many times longer as the next one's. */
final class RoundTripChart {
    private static final int LINES = 6;
    private static final int WIDTH = 40;

    private final RoundTrips trips;

    RoundTripChart(RoundTrips trips) {
        this.trips = trips;
    }

    /** Returns a heading, and a line for each span of time; the heading alone where nothing was answered. */
    String text() {
        if (trips.isEmpty()) {
            return "round trips were not measured"
                    + (trips.obstacle().isEmpty() ? "" : ": " + Text.printable(trips.obstacle()));
        }
        String heading = Text.format(
                "round trips of %d requests: median %.3f ms, worst %.3f ms",
                trips.nanos().length, trips.median() / 1e6, trips.worst() / 1e6);
        long best = Math.max(1, trips.nanos()[0]);
        double step = Math.pow((double) Math.max(best + 1, trips.worst()) / best, 1.0 / LINES);
        int[] counts = new int[LINES];
        for (long nanos : trips.nanos()) {
            counts[Math.min(LINES - 1, (int) (Math.log((double) Math.max(best, nanos) / best) / Math.log(step)))]++;
        }
        int most = Arrays.stream(counts).max().orElse(1);
        return heading + "\n\n"
                + Text.table(IntStream.range(0, LINES)
                        .mapToObj(i -> List.of(
                                Text.format("%9.3f ms", best * Math.pow(step, i + 1) / 1e6),
                                Text.bar(counts[i], most, WIDTH),
                                Text.format("%3d", counts[i])))
                        .toList());
    }
}
