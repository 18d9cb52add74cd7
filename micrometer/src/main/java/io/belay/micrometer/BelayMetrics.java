package io.belay.micrometer;

import io.belay.Belay;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The meters of one client: its waits, holds and losses by family of locks, its requests, and whether the store answers.
 *
 * <pre>{@code
 * BelayMetrics.of(belay).bindTo(registry);
 * }</pre>
 *
 * <p>The client counts in any case; the meters read its counts when the registry asks for their values, and at most every
 * 100 milliseconds, so that the values of one scrape are of one moment. To take and to give back a lock costs no more than
 * without meters.
 *
 * <p>The tag {@code lock} is the family of a lock, never its name, so it has at most 101 values: see
 * {@link io.belay.BelayOptions#withFamilies}. The meters of a family are registered by the first scrape after its first
 * use. One meter of them, the first that this scrape reads, may show the family a scrape later.
 *
 * <p>Thread-safe. The registry keeps the client reachable for as long as it has the meters: until {@link #close()}.
 */
public final class BelayMetrics implements MeterBinder, AutoCloseable {
    private final Belay belay;
    private final Tags tags;
    private final Queue<ClientMeters> bound = new ConcurrentLinkedQueue<>();

    private BelayMetrics(Belay belay, Tags tags) {
        this.belay = belay;
        this.tags = tags;
    }

    /** Returns the meters of a client. */
    public static BelayMetrics of(Belay belay) {
        return of(belay, List.of());
    }

    /**
     * Returns the meters of a client, with more tags: where several clients are bound to one registry, by which one tells
     * them apart.
     *
     * @param belay the client; a view of one will do
     * @param tags what each meter is tagged with besides its own tags
     */
    public static BelayMetrics of(Belay belay, Iterable<Tag> tags) {
        Objects.requireNonNull(belay, "belay");
        return new BelayMetrics(belay, Tags.of(Objects.requireNonNull(tags, "tags")));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (belay.admin() == null) { // a stand-in for a client, that answers nothing
            return;
        }
        ClientMeters meters = new ClientMeters(belay, tags, registry);
        meters.register();
        bound.add(meters);
    }

    /**
     * Takes the meters out of the registries that they were bound to: for when the client is closed, as they would go on to say that
     * its store does not answer, and keep those of a next client out that have the same tags. The client stays open. Closing twice
     * does nothing.
     */
    @Override
    public void close() {
        for (ClientMeters meters = bound.poll(); meters != null; meters = bound.poll()) {
            meters.close();
        }
    }
}
