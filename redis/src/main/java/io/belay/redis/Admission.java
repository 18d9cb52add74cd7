package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The decision whether a server is let in: one that cannot keep a promise in any case is refused by its name, and one that does not
 * prove to be Redis or Valkey has to prove that it runs scripts one at a time.
 */
final class Admission {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The beginning of what no lock is called, as no user can choose it: a race is no name to be listed. */
    static final String RACE = "\u0001race-";

    /** The runs of servers that have proved it to this process, as their own ids; and the makes at their addresses. */
    static final Set<String> PROVEN = ConcurrentHashMap.newKeySet();

    /** The servers of whose eviction the log has warned. */
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private static final String LUA_TRANSACTIONS = "lua-transaction-mode";

    private final Settings settings;
    private final Failures failures;
    private final ServerInfo server;
    private final Product product;

    Admission(Settings settings, ServerInfo server) {
        this.settings = settings;
        this.server = server;
        failures = new Failures(settings);
        product = Product.of(server);
    }

    /**
     * Decides.
     *
     * @param first a connection to the server
     * @param second makes another one
     * @param closer closes that
     * @param key the key to race on
     * @return fails with a {@link io.belay.spi.StoreException} if the server is refused
     */
    CompletableFuture<Void> decide(
            StatefulRedisConnection<byte[], byte[]> first,
            Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> second,
            Function<StatefulConnection<?, ?>, CompletableFuture<?>> closer,
            byte[] key) {
        if (server.evicts() && settings.refusesEviction()) {
            return CompletableFuture.failedFuture(failures.unusable(
                    "has the maxmemory-policy " + server.get("maxmemory_policy")
                            + ", which may remove a lock while it is held: set noeviction, or leave eviction=refuse out of"
                            + " the URL",
                    null));
        } else if (server.evicts() && WARNED.add(settings.address())) {
            LOG.warn(
                    "{} has the maxmemory-policy {}, which may remove a lock while it is held once its memory is full: set"
                            + " noeviction",
                    failures.address(),
                    server.get("maxmemory_policy"));
        }
        if (Product.isActiveActive(server)) {
            return CompletableFuture.failedFuture(failures.unusable(
                    "is active-active: several servers grant the same lock, and settle that later;"
                            + " use a database with one master for locks",
                    null));
        } else if (product == Product.GARNET) {
            return transactions(first.async()).thenCompose(none -> prove(first, second, closer, key));
        }
        return product.isProven() ? CompletableFuture.completedFuture(null) : prove(first, second, closer, key);
    }

    private CompletableFuture<Void> transactions(RedisAsyncCommands<byte[], byte[]> commands) {
        return commands.configGet(LUA_TRANSACTIONS)
                .toCompletableFuture()
                .exceptionally(refused -> Map.of())
                .thenAccept(told -> {
                    String value = told.getOrDefault(LUA_TRANSACTIONS, "");
                    if (!Set.of("yes", "true", "on").contains(value)) {
                        throw failures.unusable(
                                "is Garnet, which runs scripts of several clients at the same time unless its"
                                        + " lua-transaction-mode is on, and does not say that it is: two clients could"
                                        + " get one lock; use Redis or Valkey for locks",
                                null);
                    }
                });
    }

    /** Races the server, unless this very run of it was raced before; for less time after another of its make. */
    CompletableFuture<Void> prove(
            StatefulRedisConnection<byte[], byte[]> first,
            Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> second,
            Function<StatefulConnection<?, ?>, CompletableFuture<?>> closer,
            byte[] key) {
        String run = server.get("run_id");
        String id = id(settings, run);
        if (!run.isEmpty() && PROVEN.contains(id)) {
            return CompletableFuture.completedFuture(null);
        }
        String make = id(settings, String.join(" ", product.name(), server.version(), server.get("os")));
        Duration length = PROVEN.contains(make) ? AtomicityRace.SHORT : AtomicityRace.LENGTH;
        return second.get()
                .thenCompose(other -> {
                    CompletableFuture<AtomicityRace.Outcome> raced =
                            AtomicityRace.run(first.async(), other.async(), key, length);
                    return raced.handle((outcome, error) -> closer.apply(other).thenCompose(closed -> raced))
                            .thenCompose(settled -> settled);
                })
                .thenAccept(outcome -> {
                    if (outcome.gone()) {
                        throw failures.unreachable(
                                "lost the key on which its scripts were raced: has it been flushed, or was its memory"
                                        + " full?",
                                null);
                    } else if (outcome.lost()) {
                        throw failures.unusable(
                                "does not run scripts one at a time: of " + outcome.scripts()
                                        + " that raced, one was lost, and so could a lock be; use Redis or Valkey for locks",
                                null);
                    }
                    LOG.info(
                            "{} is {}: of {} scripts that raced, none was lost",
                            failures.address(),
                            product.words(),
                            outcome.scripts());
                    if (!run.isEmpty()) {
                        PROVEN.addAll(Set.of(id, make));
                    }
                });
    }

    /** Returns what a run of a server, or its make, is known by. */
    static String id(Settings settings, String run) {
        return settings.address() + " " + run;
    }

    /** Returns a key that nobody else uses, in the slot of a cluster's node. */
    static byte[] key(Settings settings, int slot) {
        String name = RACE + UUID.randomUUID();
        return settings.cluster() ? ClusterSlots.in(slot, settings.prefix(), name) : settings.key(name);
    }
}
