package io.belay.micrometer;

import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one family of locks; all are zero while the client does not know the family. */
final class FamilyMeters {
    private final String family;
    private final Tags tags;
    private final Readings readings;

    FamilyMeters(String family, Tags tags, Readings readings) {
        this.family = family;
        this.tags = tags.and("lock", family);
        this.readings = readings;
    }

    /** @param added is told of each meter */
    void register(MeterRegistry registry, Consumer<Meter> added) {
        for (WaitEnd end : WaitEnd.values()) {
            added.accept(timer(
                            "belay.lock.acquire",
                            end,
                            counts -> counts.waits().counts(),
                            counts -> counts.waits().times())
                    .description("Waits for a lock that have ended, those of a free lock included")
                    .register(registry));
        }
        for (HoldEnd end : HoldEnd.values()) {
            added.accept(timer(
                            "belay.lock.hold",
                            end,
                            counts -> counts.holds().counts(),
                            counts -> counts.holds().times())
                    .description("Holds of a lock that have ended")
                    .register(registry));
        }
        added.accept(
                counter("belay.lock.handoffs", tags, counts -> counts.waits().handOffs())
                        .baseUnit("handoffs")
                        .description("Acquisitions that were hand-overs inside the client, without the store")
                        .register(registry));
        for (LossReason reason : LossReason.values()) {
            added.accept(counter(
                            "belay.lock.lost",
                            tags.and("reason", lowerCase(reason)),
                            counts -> counts.holds().lost().getOrDefault(reason, 0L))
                    .baseUnit("leases")
                    .description("Leases that were lost while they were held")
                    .register(registry));
        }
        added.accept(gauge("belay.lock.held", counts -> counts.now().holding())
                .baseUnit("leases")
                .description("Leases that are held")
                .register(registry));
        added.accept(gauge("belay.lock.waiting", counts -> counts.now().waiting())
                .baseUnit("waiters")
                .description("Waiters for a lock")
                .register(registry));
        added.accept(
                longest("belay.lock.hold.active.max", counts -> counts.now().oldestHold())
                        .description("How long the oldest of the holds that go on has lasted")
                        .register(registry));
        added.accept(
                longest("belay.lock.wait.active.max", counts -> counts.now().longestWait())
                        .description("How long the longest of the waits that go on has lasted")
                        .register(registry));
    }

    private TimeGauge.Builder<Readings> longest(String name, Function<LockStatistics, Duration> time) {
        return TimeGauge.builder(name, readings, TimeUnit.NANOSECONDS, any -> nanos(time))
                .tags(tags);
    }

    private <E extends Enum<E>> FunctionTimer.Builder<Readings> timer(
            String name,
            E end,
            Function<LockStatistics, Map<E, Long>> counts,
            Function<LockStatistics, Map<E, Duration>> times) {
        return FunctionTimer.builder(
                        name,
                        readings,
                        any -> count(read -> counts.apply(read).getOrDefault(end, 0L)),
                        any -> nanos(read -> times.apply(read).getOrDefault(end, Duration.ZERO)),
                        TimeUnit.NANOSECONDS)
                .tags(tags.and("outcome", lowerCase(end)));
    }

    private FunctionCounter.Builder<Readings> counter(String name, Tags tags, ToLongFunction<LockStatistics> value) {
        return FunctionCounter.builder(name, readings, any -> count(value)).tags(tags);
    }

    private Gauge.Builder<Readings> gauge(String name, ToLongFunction<LockStatistics> value) {
        return Gauge.builder(name, readings, any -> count(value)).tags(tags);
    }

    private @Nullable LockStatistics counts() {
        return readings.get().statistics().locks().get(family);
    }

    private long count(ToLongFunction<LockStatistics> value) {
        LockStatistics counts = counts();
        return counts == null ? 0 : value.applyAsLong(counts);
    }

    private double nanos(Function<LockStatistics, Duration> time) {
        LockStatistics counts = counts();
        return counts == null ? 0 : nanos(time.apply(counts));
    }

    /** Returns a time in nanoseconds, which may be more than a long has: many threads together wait for centuries. */
    static double nanos(Duration time) {
        return time.getSeconds() * 1e9 + time.getNano();
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
