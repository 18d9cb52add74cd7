package io.belay.bench.report;

import io.belay.bench.lead.Round;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What is reported of a round, besides what only some cases count. */
public enum Metric {
    OPS("opsPerSecond", "per second", Round::opsPerSecond),
    P50("p50Micros", "p50 us", Round::p50Micros),
    P99("p99Micros", "p99 us", Round::p99Micros),
    SHARE("leastShare", "least share", Round::leastShare),
    CPU("clientCpuSeconds", "client CPU s", Round::clientCpuSeconds);

    private final String field;
    private final String heading;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference
    private final ToDoubleFunction<Round> value;

    Metric(String field, String heading, ToDoubleFunction<Round> value) {
        this.field = field;
        this.heading = heading;
        this.value = value;
    }

    /** Its name in JSON. */
    public String field() {
        return field;
    }

    /** Its name in tables. */
    public String heading() {
        return heading;
    }

    /** The one that tells most of a case that has these: the first of speed, time and processor time. */
    static Optional<Metric> telling(Collection<Metric> those) {
        return Stream.of(OPS, P50, CPU).filter(those::contains).findFirst();
    }

    /** By how much one is behind another whose figures are in this ratio; negative if it is ahead. */
    double behind(double ratio) {
        return this == OPS || this == SHARE ? 1 - ratio : ratio - 1;
    }

    /** Its value in a round; NaN if it has none. */
    public double of(Round round) {
        return value.applyAsDouble(round);
    }
}
