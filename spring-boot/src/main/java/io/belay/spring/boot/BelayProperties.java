package io.belay.spring.boot;

import io.belay.ConnectMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code belay.*}.
 *
 * @param url URL of the store, such as redis://localhost. Without it the application's own Redis, database or MongoDB is used.
 * @param store Which of the application's own stores to use, where it has several.
 * @param connect Whether the application starts without the store: "later" connects in the background, "if-reachable" fails at
 * the start if the store refuses, "required" fails as well if it is away.
 * @param clientName Name of this client in what others see. Defaults to the application's name and the process id.
 * @param namespace Namespace of all names of locks.
 * @param requestTimeout Longest time that a request to the store may take.
 * @param deadlockCheck Time after which a thread that waits, and holds something, looks whether it waits for itself; 0 for never.
 * @param lock Options of locks.
 * @param locked Options of methods with @Locked.
 * @param jdbc Options of locks in the application's database.
 * @param fence Options of the fence of transactions.
 * @param metrics Options of meters.
 */
@ConfigurationProperties("belay")
public record BelayProperties(
        @Nullable String url,
        @Nullable Store store,
        @DefaultValue("later") ConnectMode connect,
        @Nullable String clientName,
        @Nullable String namespace,
        @DefaultValue("2s") Duration requestTimeout,
        @DefaultValue("1s") Duration deadlockCheck,
        @DefaultValue Lock lock,
        @DefaultValue Locked locked,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Fence fence,
        @DefaultValue Metrics metrics) {

    /** The stores that an application may have already. */
    public enum Store {
        /** The Redis of {@code spring.data.redis}. */
        REDIS,
        /** The database of {@code spring.datasource}. */
        JDBC,
        /** The MongoDB of {@code spring.mongodb}. */
        MONGODB
    }

    /** The times at which tables are made. */
    public enum InitializeSchema {
        /** Whenever the client connects and they are not there. */
        ALWAYS,
        /** In a database that runs inside the application. */
        EMBEDDED,
        /** Never: somebody else makes them. */
        NEVER
    }

    /**
     * The options of locks.
     *
     * @param lease Time for which a lock stays taken when its holder dies.
     * @param slice Time for which a client hands a lock on among its own threads before others get their turn.
     * @param sticky Time for which an unused lock is kept, so that the next use costs no request.
     */
    public record Lock(
            @DefaultValue("30s") Duration lease,
            @Nullable Duration slice,
            @Nullable Duration sticky) {}

    /**
     * The options of methods with {@code @Locked}.
     *
     * @param longestWait Time to wait for a lock where the annotation says none.
     */
    public record Locked(@DefaultValue("10s") Duration longestWait) {}

    /**
     * The options of locks in the application's database.
     *
     * @param initializeSchema Whether to make the tables of locks and of the fence.
     * @param table Name of the table of locks, perhaps with a schema and a dot before it.
     * @param dataSource Name of the DataSource whose database has the locks, where the application has several and none is primary.
     * @param fence Whether the transactions of methods with @Locked are fenced.
     */
    public record Jdbc(
            @DefaultValue("always") InitializeSchema initializeSchema,
            @Nullable String table,
            @Nullable String dataSource,
            @DefaultValue("true") boolean fence) {}

    /**
     * The options of the fence of transactions.
     *
     * @param longestWait Time for which a transaction without a timeout waits for the fences of others, all together; 0 for as
     *     long as the database waits.
     */
    public record Fence(@DefaultValue("30s") Duration longestWait) {}

    /** Where the meters of waits and holds come from. */
    public enum Waits {
        /** What the client counts of all its locks: {@code belay.lock.acquire} and {@code belay.lock.hold}. */
        CLIENT,
        /** Observations of methods and decorated locks: {@code belay.acquire} and {@code belay.hold}. */
        OBSERVATIONS
    }

    /**
     * The options of meters.
     *
     * @param waits Where the timers of waits and holds come from: what the client counts of all its locks, or observations. Of the
     * others no meters are made.
     */
    public record Metrics(@DefaultValue("client") Waits waits) {}

    /** Returns a text without the URL, which may hold a password. */
    @Override
    public String toString() {
        return "BelayProperties[store=" + store + ", connect=" + connect + ", namespace=" + namespace + "]";
    }
}
