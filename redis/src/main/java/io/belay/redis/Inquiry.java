package io.belay.redis;

import io.belay.server.ClientVersion;
import io.belay.server.ClockSamples;
import io.belay.spi.Finding;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a server what an examination wants to know. Only reads, and takes a refusal for an answer. */
final class Inquiry {
    /** The parameters that INFO does not tell. */
    private static final List<String> PARAMETERS = List.of(
            "timeout",
            "save",
            "stop-writes-on-bgsave-error",
            "appendfsync",
            "client-output-buffer-limit",
            "protected-mode",
            "bind",
            "port",
            "tls-port",
            "tls-auth-clients",
            "acl-pubsub-default",
            Examination.COVERAGE);

    /** The time for which a server's clock is watched. */
    static final Duration CLOCK_SPAN = Duration.ofSeconds(1);

    /** The time within which each replica has told how far it is. */
    private static final Duration REPLICAS_SPEAK = Duration.ofMillis(1200);

    private static final Pattern CLIENT_NAME = Pattern.compile(" name=(\\S+) ");

    private final Settings settings;
    private final Connector connector;
    private final List<String> refused = new ArrayList<>();

    private Inquiry(Settings settings, Connector connector) {
        this.settings = settings;
        this.connector = connector;
    }

    /** Connects, looks around and goes. */
    static Examination of(Redis redis) {
        return of(redis, CLOCK_SPAN);
    }

    /** Does the same, and watches the clock for that long. */
    static Examination of(Redis redis, Duration clockSpan) {
        Connector connector = redis.connector();
        Connector server = connector;
        try {
            Optional<SentinelFindings> seen = Optional.empty();
            if (redis.settings().sentinels()) {
                Sentinels sentinels = new Sentinels(connector);
                server = sentinels.locate().join();
                Address master = server.settings().addresses().get(0);
                seen = Optional.of(SentinelFindings.of(connector, sentinels, master));
            }
            return new Inquiry(server.settings(), server).run(seen, clockSpan);
        } catch (RuntimeException e) {
            throw server.failures().of(e, redis.settings().firstTimeout());
        } finally {
            connector.close();
        }
    }

    private Examination run(Optional<SentinelFindings> sentinels, Duration clockSpan) {
        StatefulRedisPubSubConnection<String, String> connection =
                connector.insist(this::connect).join();
        RedisCommands<String, String> commands = connection.sync();
        ServerInfo server = connector.check(new ServerInfo(commands.info()));
        Optional<Map<String, String>> parameters = unlessRefused("config|get", () -> parameters(commands));
        Optional<Map<String, AclUser>> users = unlessRefused("acl|getuser", () -> users(commands));
        List<Finding> watched = new ArrayList<>();
        unlessRefused("client|list", () -> others(commands)).ifPresent(watched::addAll);
        unlessRefused("time", () -> clock(commands, clockSpan)).ifPresent(watched::addAll);
        watched.addAll(behind(commands, server));
        watched.addAll(RightsTrial.of(settings, server, connection));
        return new Examination(settings, server, parameters, users, watched, sentinels, List.copyOf(refused));
    }

    private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connect() {
        RedisURI uri = settings.uri(settings.credentials());
        Silence silence = connector.silence(connector.failures(), settings.firstTimeout());
        return silence.limit(
                        silence.over(() -> connector.client.connectPubSubAsync(StringCodec.UTF8, uri)),
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

    private static List<Finding> others(RedisCommands<String, String> commands) {
        List<String> names = commands.clientList()
                .lines()
                .map(CLIENT_NAME::matcher)
                .filter(Matcher::find)
                .map(line -> line.group(1))
                .toList();
        return ClientVersion.others(names).stream().toList();
    }

    private static List<Finding> clock(RedisCommands<String, String> commands, Duration span) {
        return ClockSamples.take(
                        () -> {
                            List<String> time = commands.time();
                            return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
                        },
                        Duration.ofNanos(1000),
                        span)
                .findings();
    }

    /** Looks a second time at replicas that are behind: how far they are is only known as of when they last spoke. */
    private List<Finding> behind(RedisCommands<String, String> commands, ServerInfo server) {
        long offset = server.number("master_repl_offset");
        if (new ReplicaFindings(server, settings.replicas()).behind(offset).isEmpty()) {
            return List.of();
        }
        try {
            Thread.sleep(REPLICAS_SPEAK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        return new ReplicaFindings(new ServerInfo(commands.info()), settings.replicas()).behind(offset);
    }
}
