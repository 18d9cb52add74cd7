package io.belay.mongodb;

import com.mongodb.client.MongoClient;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.document.DocumentStore;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.support.UrlVariables;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A MongoDB to keep locks in: a replica set, or a server alone. Immutable: each method named {@code with...} returns a
 * changed copy.
 *
 * <pre>{@code
 * Belay belay = Belay.connect(Mongo.in(mongoClient, "shop"), BelayOptions.defaults());
 * }</pre>
 *
 * <p>A URL is the driver's own connection string; its database is {@code belay} unless it names one. These parameters
 * in it are Belay's: {@code belay-collection} (belay_lock), {@code belay-timeout}, the longest to wait for the
 * database (5s), and {@code belay-watch=false} to do without a change stream. The driver's retries, read and write
 * concerns, read preference and time-outs are not taken from it, as the locks depend on them.
 *
 * <p>A client uses up to two connections at a time, and one for its change stream.
 */
public final class Mongo implements StoreOpener {
    private final Function<Settings, Connections> source;
    private final Settings settings;
    private final @Nullable MongoUrl url;
    private final @Nullable SSLContext tls;

    private Mongo(
            Function<Settings, Connections> source,
            Settings settings,
            @Nullable MongoUrl url,
            @Nullable SSLContext tls) {
        this.source = source;
        this.settings = settings;
        this.url = url;
        this.tls = tls;
    }

    private static Mongo at(MongoUrl url, Settings settings, @Nullable SSLContext tls) {
        return new Mongo(chosen -> Connections.of(url.with(chosen), tls), settings, url, tls);
    }

    /**
     * Returns a database by its URL.
     *
     * @param url may hold {@code ${NAME}} for the environment variable of that name; with {@code mongodb+srv:} this
     *     method asks DNS
     * @throws StoreMisconfiguredException if Belay cannot take the URL
     * @throws StoreUnavailableException if DNS does not answer, whatever the client's {@link io.belay.ConnectMode}
     */
    public static Mongo at(String url) {
        Objects.requireNonNull(url, "url");
        return checked(() -> {
            MongoUrl parsed = MongoUrl.parse(UrlVariables.expand(url));
            return at(parsed, parsed.settings(), null);
        });
    }

    /**
     * Returns a database that a client of the driver's leads to; Belay does not close that client. That client's own
     * time-outs and retries count: let it wait no longer for a server, and for an answer, than an owner of a lock is
     * to wait.
     */
    public static Mongo in(MongoClient client, String database) {
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(database, "database");
        return new Mongo(settings -> Connections.of(client, database, settings), Settings.DEFAULT, null, null);
    }

    /**
     * Returns a copy that is reached by TLS, as a context does it.
     *
     * @throws IllegalStateException if a client of the driver's was given, which has its own
     */
    public Mongo withSslContext(SSLContext context) {
        Objects.requireNonNull(context, "context");
        MongoUrl parsed = url;
        if (parsed == null) {
            throw new IllegalStateException("the given client of MongoDB's driver has TLS of its own, or none");
        }
        return at(parsed, settings, context);
    }

    /**
     * Returns a copy with the locks in another database than that of the URL, where its user is looked up all the same.
     *
     * @throws IllegalStateException if a client of the driver's was given, and with it the database
     */
    public Mongo withDatabase(String database) {
        Objects.requireNonNull(database, "database");
        MongoUrl parsed = url;
        if (parsed == null) {
            throw new IllegalStateException("the database was given together with the client of MongoDB's driver");
        }
        return at(parsed.withDatabase(database), settings, tls);
    }

    /** Returns a copy with another collection of locks. */
    public Mongo withCollection(String collection) {
        Objects.requireNonNull(collection, "collection");
        return with("collection", collection);
    }

    /** Returns a copy with another longest time to wait for the database, from 100 ms to 10 minutes. */
    public Mongo withTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return checked(() -> new Mongo(source, settings.withTimeout(timeout), url, tls));
    }

    /** Returns a copy without a change stream: a client that waits for a lock looks now and then instead. */
    public Mongo withoutWatching() {
        return with("watch", "false");
    }

    private Mongo with(String parameter, String value) {
        return checked(() -> new Mongo(source, settings.with(parameter, value), url, tls));
    }

    private static Mongo checked(Supplier<Mongo> mongo) {
        try {
            return mongo.get();
        } catch (StoreException | IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            throw e instanceof StoreException store && store.isTemporary()
                    ? new StoreUnavailableException(why, e)
                    : new StoreMisconfiguredException(why, e);
        }
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        return open(source.apply(settings), client, listener);
    }

    static Store open(Connections connections, long client, Store.Listener listener) {
        try {
            MongoDocuments documents = MongoDocuments.prepare(connections);
            return new DocumentStore("belay-mongodb", documents, client, listener);
        } catch (RuntimeException e) {
            StoreException failure = connections.failures().of(e);
            connections.close();
            throw failure;
        } catch (Error e) { // as for want of threads
            connections.close();
            throw e;
        }
    }
}
