package io.belay.bench.report;

import io.belay.bench.lead.Round;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A metric of a round; some cases count other figures besides. */
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

    /** Returns the metric's name in JSON. */
    public String field() {
        return field;
    }

    /** Returns the metric's name in tables. */
    public String heading() {
        return heading;
    }

    /** Returns the metric that tells most of a case that has these: the first of speed, time and processor time. */
    static Optional<Metric> telling(Collection<Metric> those) {
        return Stream.of(OPS, P50, CPU).filter(those::contains).findFirst();
    }

    /** Returns by how much a build is behind whose figure has this ratio to another's; negative if it is ahead. */
    double behind(double ratio) {
        return this == OPS || this == SHARE ? 1 - ratio : ratio - 1;
    }

    /** Returns the metric's value in a round; NaN if there is none. */
    public double of(Round round) {
        return value.applyAsDouble(round);
    }
}
