package io.belay.micrometer;

import io.belay.Belay;
import io.belay.RequestKind;
import io.belay.Statistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one client in one registry. A registry has a meter for each value of a tag, and nobody tells of new
 * families, so their meters are added when a new reading shows them, whichever meter of the client was read for it.
 *
 * <p>That is in the midst of a scrape, which goes from name to name and finds what was added under the names that it has not
 * come to yet, if it knew these when it began. Therefore all names are there from the beginning, with the family
 * {@link Statistics#OTHER}; and only the name that the scrape begins with may lack the new
 * family until the next one.
 */
final class ClientMeters {
    private final Tags tags;
    private final MeterRegistry registry;
    private final Readings readings;
    private final Set<String> families = ConcurrentHashMap.newKeySet();
    private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    ClientMeters(Belay belay, Tags tags, MeterRegistry registry) {
        this.tags = tags;
        this.registry = registry;
        readings = new Readings(belay, registry.config().clock()::monotonicTime, this::registerNew);
    }

    /** Registers all that there is by now; nothing if another client's meters have the same tags, and so are those that are shown. */
    void register() {
        List<Meter> before = registry.getMeters();
        // A meter keeps what it reads from by a weak reference, and its function by a strong one, which refers to all
        // of it.
        Gauge up = Gauge.builder(
                        "belay.store.up", readings, any -> readings.get().answering() ? 1 : 0)
                .tags(tags)
                .description("1 if the store answered the client's last request, 0 if not")
                .register(registry);
        if (before.contains(up)) {
            return;
        }
        add(up);
        add(FunctionCounter.builder(
                        "belay.store.outages",
                        readings,
                        any -> readings.get().statistics().outages())
                .tags(tags)
                .baseUnit("outages")
                .description("How often the store began to fail")
                .register(registry));
        add(FunctionCounter.builder(
                        "belay.store.pushes.lost",
                        readings,
                        any -> readings.get().statistics().lostPushes())
                .tags(tags)
                .baseUnit("messages")
                .description("How often a waiter learned by asking what the store should have told it")
                .register(registry));
        addFamily(Statistics.OTHER);
        List.of(RequestKind.values()).forEach(this::addRequests);
        registerNew(readings.get());
    }

    private void registerNew(Readings.Reading reading) {
        reading.statistics().locks().keySet().forEach(this::addFamily);
    }

    private void addFamily(String family) {
        if (families.add(family)) {
            new FamilyMeters(family, tags, readings).register(registry, this::add);
        }
    }

    private void add(Meter meter) {
        meters.add(meter);
        if (closed) { // in the midst of a scrape
            removeAll();
        }
    }

    /** Takes all of them away again, and those that a scrape is about to add. */
    void close() {
        closed = true;
        removeAll();
    }

    private void removeAll() {
        for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
            registry.remove(meter);
        }
    }

    private void addRequests(RequestKind kind) {
        Tags tagged = tags.and("op", FamilyMeters.lowerCase(kind));
        add(FunctionTimer.builder(
                        "belay.store.requests",
                        readings,
                        any -> of(kind).answered(),
                        any -> of(kind).time().toNanos(),
                        TimeUnit.NANOSECONDS)
                .tags(tagged)
                .description("Requests that the store has answered")
                .register(registry));
        add(FunctionCounter.builder("belay.store.failed", readings, any -> of(kind).failed())
                .tags(tagged)
                .baseUnit("requests")
                .description("Requests that failed, or were not answered in their time")
                .register(registry));
    }

    private Statistics.Requests of(RequestKind kind) {
        return Objects.requireNonNull(readings.get().statistics().requests().get(kind)); // all kinds are there
    }
}
