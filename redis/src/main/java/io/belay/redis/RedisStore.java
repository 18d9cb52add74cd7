package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's locks on one Redis server: a key for each resource, a script for each operation, one connection. */
final class RedisStore implements Store, Link.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);
    private static final Capabilities CAPABILITIES = new Capabilities(true, true, true);
    private static final long FIRST_BACK_OFF = 10;
    private static final long LONGEST_BACK_OFF = 500;

    private final Settings settings;
    private final Connector connector;
    private final String channel;
    private final Listener listener;

    /** Holds null while there is no connection. */
    private final AtomicReference<@Nullable Link> link = new AtomicReference<>();

    private volatile StoreException down;
    private volatile boolean closed;

    private RedisStore(Settings settings, Connector connector, long client, Listener listener) {
        this.settings = settings;
        this.connector = connector;
        this.channel = settings.channel(client);
        this.listener = listener;
        down = connector.failures().disconnected();
    }

    /** Connects for the first time; what goes wrong now is for the user to know. */
    static RedisStore connect(Settings settings, Connector connector, long client, Listener listener) {
        RedisStore store = new RedisStore(settings, connector, client, listener);
        try {
            store.use(connector
                    .connect(store.channel, store, settings.firstTimeout())
                    .join());
        } catch (CompletionException e) {
            throw connector.failures().of(e, settings.firstTimeout());
        }
        store.watch();
        return store;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Link to = link.get();
        return to == null
                ? unsent()
                : to.run(
                        to.scripts().of(request),
                        settings.key(request.resource()),
                        Wire.encode(request),
                        request.resource(),
                        Outputs.answer(request, to.run()));
    }

    @Override
    public CompletionStage<List<Answer>> renew(List<Request.Renew> renewals) {
        Link to = link.get();
        if (to == null) {
            return unsent();
        }
        byte[][] keys = new byte[renewals.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = settings.key(renewals.get(i).resource());
        }
        byte[][] arguments = {Wire.encode(renewals)};
        String first = renewals.get(0).resource();
        return to.run(to.scripts().renew, keys, arguments, first, Outputs.answers(keys.length, to.run()));
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Link to = link.get();
        return to == null
                ? unsent()
                : to.run(
                        to.scripts().inspect,
                        new byte[][] {settings.key(resource)},
                        new byte[0][],
                        resource,
                        Outputs.snapshot());
    }

    private <T> CompletionStage<T> unsent() {
        return CompletableFuture.failedStage(closed ? StoreException.unusable("the client was closed", null) : down);
    }

    @Override
    public void pushed(Link from, byte[] message) {
        try {
            listener.pushed(Wire.push(message, settings, from.run()));
        } catch (IllegalArgumentException e) {
            LOG.warn("{} sent on the channel {} what Belay has not written", settings.address(), channel);
        }
    }

    private void use(Link fresh) {
        link.set(fresh);
        if (closed) {
            fresh.close();
        } else if (!fresh.isOpen()) {
            broken(fresh);
        }
    }

    @Override
    public void broken(Link old) {
        if (link.compareAndSet(old, null)) {
            down = connector.failures().disconnected();
            old.close();
            reconnect(0);
        }
    }

    private void reconnect(int attempt) {
        long longest = Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF << Math.min(attempt, 10));
        // Not all clients of a server that went down at once.
        long delay = attempt == 0 ? 0 : ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        connector.later(
                () -> {
                    if (!closed) {
                        connector
                                .connect(channel, this, settings.timeout())
                                .whenComplete((fresh, error) -> connected(fresh, error, attempt));
                    }
                },
                delay);
    }

    private void connected(@Nullable Link fresh, @Nullable Throwable error, int attempt) {
        if (fresh == null) {
            down = connector.failures().of(error == null ? new TimeoutException() : error, settings.timeout());
            LOG.debug("Attempt {} to connect again: {}", attempt + 1, down.getMessage());
            reconnect(attempt + 1);
            return;
        }
        LOG.info("Connected to {} again", settings.address());
        use(fresh);
        listener.reconnected();
    }

    /** A connection may be dead without a word; what is asked in vain for too long shows it. */
    private void watch() {
        connector.later(
                () -> {
                    Link watched = link.get();
                    if (watched != null && watched.isSilent()) {
                        LOG.warn("{} is silent; connecting again", settings.address());
                        broken(watched);
                    }
                    if (!closed) {
                        watch();
                    }
                },
                settings.timeout().toMillis());
    }

    @Override
    public void close() {
        closed = true;
        link.set(null);
        connector.close();
    }
}
