package io.belay.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ClusterType;
import io.belay.server.ClientVersion;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** The collection of locks, and the driver's client, which is closed with the store if it was made for that. */
final class Connections implements AutoCloseable {
    private static final long MIN_HEARTBEAT = 50;

    private final MongoClient client;
    private final boolean own;
    private final String database;
    private final Settings settings;
    private final String place;
    private volatile boolean connected;

    private Connections(MongoClient client, boolean own, String database, String place, Settings settings) {
        this.client = client;
        this.own = own;
        this.database = database;
        this.place = place;
        this.settings = settings;
    }

    /** Makes a client of the driver's, which connects by itself. */
    static Connections of(MongoUrl url) {
        return of(url, null);
    }

    /** Does the same with a way to do TLS, if that is given. */
    static Connections of(MongoUrl url, @Nullable SSLContext tls) {
        String place = "MongoDB at " + String.join(",", url.driver().getHosts());
        try {
            return new Connections(
                    MongoClients.create(settings(url, tls)), true, url.database(), place, url.settings());
        } catch (RuntimeException e) {
            throw new Failures(place, url.database(), url.settings(), null, false).of(e);
        }
    }

    static MongoClientSettings settings(MongoUrl url, @Nullable SSLContext tls) {
        long timeout = url.settings().timeout().toMillis();
        return MongoClientSettings.builder()
                .applicationName(ClientVersion.label()) // unless the URL has another one
                .applyConnectionString(url.driver())
                .applyToSslSettings(ssl -> {
                    if (tls != null) {
                        ssl.enabled(true).context(tls);
                    }
                })
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(timeout, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout((int) timeout, TimeUnit.MILLISECONDS))
                // After a broken connection the driver uses a server only once it has looked at it again.
                .applyToServerSettings(server -> server.minHeartbeatFrequency(MIN_HEARTBEAT, TimeUnit.MILLISECONDS))
                // The engine asks again, and is not to wait twice for one answer.
                .retryReads(false)
                .retryWrites(false)
                .build();
    }

    /** Takes a client of the driver's that is the user's. */
    static Connections of(MongoClient client, String database, Settings settings) {
        return new Connections(client, false, database, "MongoDB", settings);
    }

    Settings settings() {
        return settings;
    }

    Failures failures() {
        return new Failures(place, database, settings, client, connected);
    }

    MongoClient client() {
        return client;
    }

    /**
     * Returns the collection: what is written is in the journals of a majority before it counts, only a primary is
     * asked, and nothing takes longer than the time-out, whatever the client would allow.
     */
    MongoCollection<BsonDocument> collection() {
        return client.getDatabase(database)
                .getCollection(settings.collection(), BsonDocument.class)
                .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.DEFAULT) // of a change stream "majority", and it takes no other
                .withWriteConcern(WriteConcern.MAJORITY.withJournal(true))
                .withTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asks the server something, so that its kind is known, and returns that. */
    ClusterType type() {
        try {
            client.getDatabase(database)
                    .withTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .runCommand(new BsonDocument("ping", new BsonInt32(1)));
            connected = true;
        } catch (RuntimeException e) {
            throw failures().of(e);
        }
        return lastType();
    }

    /** Returns the kind of what the driver has seen last; unknown while nothing can be reached. */
    ClusterType lastType() {
        return client.getClusterDescription().getType();
    }

    /** Returns whether another server than this one is the primary, by what the driver has seen last. */
    boolean isReplaced(ServerAddress server) {
        return client.getClusterDescription().getServerDescriptions().stream()
                .anyMatch(known -> known.isPrimary() && !known.getAddress().equals(server));
    }

    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
