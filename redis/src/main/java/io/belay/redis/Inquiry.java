package io.belay.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Asks a server what an examination wants to know. Only reads, and takes a refusal for an answer. */
final class Inquiry {
    /** The parameters that INFO does not tell. */
    private static final List<String> PARAMETERS =
            List.of("timeout", "save", "appendfsync", "client-output-buffer-limit", "protected-mode");

    private final Settings settings;
    private final Connector connector;
    private final List<String> refused = new ArrayList<>();

    private Inquiry(Settings settings, Connector connector) {
        this.settings = settings;
        this.connector = connector;
    }

    /** Connects, looks around and goes. */
    static Examination of(Redis redis) {
        Connector connector = redis.connector();
        Connector server = connector;
        try {
            Optional<SentinelFindings> seen = Optional.empty();
            if (redis.settings().sentinels()) {
                Sentinels sentinels = new Sentinels(connector);
                server = sentinels.locate().join();
                Address master = server.settings().addresses().get(0);
                seen = Optional.of(SentinelFindings.of(redis.settings(), sentinels, master));
            }
            return new Inquiry(server.settings(), server).run(seen);
        } catch (RuntimeException e) {
            throw server.failures().of(e, redis.settings().firstTimeout());
        } finally {
            connector.close();
        }
    }

    private Examination run(Optional<SentinelFindings> sentinels) {
        RedisCommands<String, String> commands =
                connector.insist(this::connect).join().sync();
        ServerInfo server = connector.check(new ServerInfo(commands.info()));
        return new Examination(
                settings,
                server,
                unlessRefused("config|get", () -> parameters(commands)),
                unlessRefused("acl|getuser", () -> users(commands)),
                unlessRefused("time", () -> ahead(commands)).orElse(0L),
                sentinels,
                List.copyOf(refused));
    }

    private CompletableFuture<StatefulRedisConnection<String, String>> connect() {
        RedisURI uri = settings.uri(settings.credentials());
        Silence silence = connector.silence(connector.failures(), settings.firstTimeout());
        return silence.limit(
                        silence.over(() -> connector.client.connectAsync(StringCodec.UTF8, uri)),
                        StatefulConnection::closeAsync)
                .thenApply(connection -> {
                    connection.setTimeout(settings.firstTimeout());
                    return connection;
                });
    }

    /** Asks, and notes a refusal: a user may lack the right, and some providers of servers take the command away. */
    private <T> Optional<T> unlessRefused(String command, Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (RedisCommandExecutionException e) {
            refused.add(command);
            return Optional.empty();
        }
    }

    private static Map<String, String> parameters(RedisCommands<String, String> commands) {
        Map<String, String> result = new HashMap<>();
        // One by one: to ask for several takes 7.0, and to ask for all brings passwords along.
        PARAMETERS.forEach(name -> result.putAll(commands.configGet(name)));
        return result;
    }

    private Map<String, AclUser> users(RedisCommands<String, String> commands) {
        Map<String, AclUser> users = new HashMap<>();
        users.put(AclUser.DEFAULT, AclUser.of(commands.aclGetuser(AclUser.DEFAULT)));
        users.computeIfAbsent(settings.userName(), name -> AclUser.of(commands.aclGetuser(name)));
        return users;
    }

    /** Returns by how many milliseconds, at least, the server's clock is ahead of ours; negative if it is behind. */
    private static long ahead(RedisCommands<String, String> commands) {
        long before = System.currentTimeMillis();
        List<String> time = commands.time();
        long after = System.currentTimeMillis();
        long there = Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
        return there < before ? there - before : Math.max(0, there - after);
    }
}
