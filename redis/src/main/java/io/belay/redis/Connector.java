package io.belay.redis;

import io.belay.server.ClientVersion;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes links to one server. */
final class Connector {
    private static final Log LOG = Log.of(LogName.STORE);
    /** The number of times to ask a server that refuses too quickly for its reason to be heard. */
    private static final int ATTEMPTS = 3;

    /** The refusals of HELLO, by a server that does not know it, or by 6.2 to the default user, before the login. */
    private static final Pattern NO_HELLO =
            Pattern.compile("^(NOPROTO|ERR unknown command( .?HELLO\\b|$)|NOPERM .*'hello')", Pattern.CASE_INSENSITIVE);

    final RedisClient client;
    private final ClientThreads threads;
    private final Settings settings;
    private final Failures failures;
    /** The application to ask for the login; null if the URL has it. Shared as the next one is. */
    private final @Nullable AskedCredentials credentials;
    /** True while the client speaks RESP3; shared by the connectors to a cluster's nodes, as its options are. */
    private final AtomicBoolean resp3;
    /** Shared so, too. */
    private final KnownServers known;

    private final Map<ScriptForm, Scripts> scripts;
    private final int slot;

    Connector(
            RedisClient client,
            ClientThreads threads,
            Settings settings,
            @Nullable RedisCredentialsProvider credentials) {
        this(
                client,
                threads,
                settings,
                credentials == null ? null : new AskedCredentials(credentials, AskedCredentials.LONGEST),
                new AtomicBoolean(),
                new KnownServers(),
                new ConcurrentHashMap<>(),
                0);
        speak(settings.resp3());
    }

    private Connector(
            RedisClient client,
            ClientThreads threads,
            Settings settings,
            @Nullable AskedCredentials credentials,
            AtomicBoolean resp3,
            KnownServers known,
            Map<ScriptForm, Scripts> scripts,
            int slot) {
        this.client = client;
        this.threads = threads;
        this.settings = settings;
        this.failures = new Failures(settings, known);
        this.credentials = credentials;
        this.resp3 = resp3;
        this.known = known;
        this.scripts = scripts;
        this.slot = slot;
    }

    /** Returns a connector to one node of a cluster, which has that slot. */
    Connector at(Address node, int slotOfIts) {
        return new Connector(client, threads, settings.at(node), credentials, resp3, known, scripts, slotOfIts);
    }

    Failures failures() {
        return failures;
    }

    /** Returns the messages about another server of this client. */
    Failures failuresOf(Settings other) {
        return new Failures(other, known);
    }

    /** Notes that the client is connected. */
    void trust() {
        known.connected();
    }

    Settings settings() {
        return settings;
    }

    private void speak(boolean version3) {
        resp3.set(version3);
        ProtocolVersion version = version3 ? ProtocolVersion.RESP3 : ProtocolVersion.RESP2;
        client.setOptions(client.getOptions().mutate().protocolVersion(version).build());
    }

    /**
     * Connects, checks the server, subscribes to the channel; fails with whatever went wrong, nothing left open.
     *
     * @param once whether the caller tries again by itself, so that nothing is gained by three tries in a row
     */
    CompletableFuture<Link> connect(String channel, Link.Listener listener, Duration longest, boolean once) {
        CompletableFuture<Link> made = insist(() -> open(channel, listener, longest), once ? 1 : ATTEMPTS);
        return credentials == null ? made : credentials.judge(made, failures);
    }

    /** Tries in RESP2 if the server takes no HELLO, and again if it refused too quickly for its reason to be heard. */
    <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> attempt) {
        return insist(attempt, ATTEMPTS);
    }

    private <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> attempt, int attempts) {
        boolean greets = resp3.get();
        CompletableFuture<T> made = begin(attempt);
        return made.handle((result, error) -> {
                    if (error != null && greets && isHelloRefused(error)) {
                        speakResp2();
                        return insist(attempt, attempts);
                    }
                    boolean again = error != null && attempts > 1 && Failures.isWithoutReason(error);
                    return again ? insist(attempt, attempts - 1) : made;
                })
                .thenCompose(outcome -> outcome);
    }

    /**
     * Begins an attempt, unless a file for TLS is not what it should be, as while it is renewed: Netty would only log that, and
     * close the connection.
     */
    private <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> attempt) {
        try {
            settings.tls().check();
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(
                    failures.unreachable("cannot be connected to: " + e.getMessage(), e.getCause()));
        }
        return attempt.get();
    }

    private static boolean isHelloRefused(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (NO_HELLO.matcher(String.valueOf(e.getMessage())).find()) {
                return true;
            }
        }
        return false;
    }

    private void speakResp2() {
        if (resp3.compareAndSet(true, false)) {
            LOG.warn(
                    "{} cannot be greeted by HELLO: this client speaks RESP2 from now on, with a second connection for"
                            + " pushes, as protocol=resp2 in the URL has it do at once",
                    failures.address());
        }
        speak(false);
    }

    private CompletableFuture<Link> open(String channel, Link.Listener listener, Duration longest) {
        Silence silence = silence(failures, longest);
        return silence.limit(uri().thenCompose(uri -> attempt(uri, channel, listener, silence)), Link::close);
    }

    private CompletableFuture<RedisURI> uri() {
        if (credentials == null) {
            return CompletableFuture.completedFuture(named(settings.uri(settings.credentials())));
        }
        return credentials.ask(failures).thenApply(resolved -> named(settings.uri(resolved)));
    }

    /** Tells the server Belay's version where HELLO takes it along: CLIENT SETNAME is a right that locks do not need. */
    private RedisURI named(RedisURI uri) {
        if (resp3.get()) {
            uri.setClientName(ClientVersion.label());
        }
        return uri;
    }

    /** Asks a server something, on a connection for that alone. */
    <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
        return insist(() -> {
            Silence silence = silence(failures, settings.firstTimeout());
            CompletableFuture<T> answered = uri().thenCompose(
                            uri -> silence.over(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri)))
                    .thenCompose(connection ->
                            question.apply(connection.async()).whenComplete((answer, error) -> close(connection)))
                    .thenApply(this::understood);
            return silence.limit(answered, late -> {});
        });
    }

    /** Asks a node of a cluster which master has which slots. */
    CompletableFuture<ClusterSlots> slots() {
        return ask(commands -> commands.clusterSlots())
                .thenApply(reply -> ClusterSlots.of(reply, settings.addresses().get(0)));
    }

    private CompletableFuture<Link> attempt(RedisURI uri, String channel, Link.Listener listener, Silence silence) {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> pushes =
                silence.over(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
        if (resp3.get()) {
            return pushes.thenCompose(both -> greet(both, both, channel, listener, racer(uri, silence)));
        }
        return pushes.thenCompose(second -> unlessFailed(
                        silence.over(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri)), second)
                .thenCompose(first -> greet(first, second, channel, listener, racer(uri, silence))));
    }

    private Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> racer(RedisURI uri, Silence silence) {
        return () -> silence.over(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri));
    }

    private CompletableFuture<Link> greet(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            String channel,
            Link.Listener listener,
            Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> racer) {
        long asked = System.nanoTime();
        CompletableFuture<Link> greeted = commands.async()
                .info()
                .toCompletableFuture()
                .thenApply(info -> check(new ServerInfo(understood(info), asked)))
                .thenCompose(server -> admit(commands, server, racer))
                .thenCompose(server -> link(commands, pushes, server)
                        .prepare(channel, listener)
                        .thenCompose(link -> doubt(link, server, commands, racer)));
        return unlessFailed(unlessFailed(greeted, commands), pushes);
    }

    /** Lets the server in, or not. A node of a cluster that has no slot yet can run no script; it is of the others' make. */
    private CompletableFuture<ServerInfo> admit(
            StatefulRedisConnection<byte[], byte[]> commands,
            ServerInfo server,
            Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> racer) {
        if (slot < 0) {
            return CompletableFuture.completedFuture(server);
        }
        return new Admission(settings, server)
                .decide(commands, racer, this::close, Admission.key(settings, slot))
                .thenApply(none -> server);
    }

    /** Races a server that proved its name, but takes scripts in another form than servers of that name do. */
    private CompletableFuture<Link> doubt(
            Link link,
            ServerInfo server,
            StatefulRedisConnection<byte[], byte[]> commands,
            Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> racer) {
        return link.takesFirstForm() || slot < 0
                ? CompletableFuture.completedFuture(link)
                : new Admission(settings, server)
                        .prove(commands, racer, this::close, Admission.key(settings, slot))
                        .thenApply(none -> link);
    }

    private <T> T understood(T answer) {
        failures.answered();
        return answer;
    }

    private Link link(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            ServerInfo server) {
        return new Link(commands, pushes, server, this::scripts, settings, slot);
    }

    private Scripts scripts(ScriptForm form) {
        return scripts.computeIfAbsent(form, wanted -> new Scripts(settings.prefix(), wanted));
    }

    /** Closes the connection if it failed, and only then tells that it did. */
    private <T> CompletableFuture<T> unlessFailed(CompletableFuture<T> result, StatefulConnection<?, ?> connection) {
        return result.handle((value, error) ->
                        error == null ? result : close(connection).thenCompose(closed -> result))
                .thenCompose(settled -> settled);
    }

    ServerInfo check(ServerInfo server) {
        if (!server.isAtLeast(6, 2)) {
            throw failures.unusable("is version '" + server.version() + "', too old: Belay needs 6.2 or later", null);
        } else if (server.isCluster() != settings.cluster()) {
            throw failures.unusable(server.isCluster() ? Replies.CLUSTER : Replies.NO_CLUSTER, null);
        } else if (server.isSentinel()) {
            throw failures.unusable(Replies.SENTINEL, null);
        } else if (server.isReplica()) {
            throw failures.unreachable(
                    settings.place().kind() == ServerLocation.Kind.MASTER ? Replies.DEMOTED : Replies.REPLICA, null);
        }
        return server;
    }

    /** Runs a task later, unless the client is closed by then, on a thread that may not be blocked for long. */
    void later(Runnable task, long millis) {
        threads.later(task, millis);
    }

    /** Runs a task again and again, also if it throws. Returns what ends that before the client is closed; null if it is closed. */
    @Nullable
    Future<?> every(Runnable task, long millis) {
        return threads.every(task, millis);
    }

    /** Limits an attempt to connect. */
    Silence silence(Failures whose, Duration longest) {
        return threads.silence(whose, longest);
    }

    /** Closes one connection, unless it is closed with the client. */
    CompletableFuture<?> close(StatefulConnection<?, ?> connection) {
        return threads.close(connection);
    }

    /** Closes the connections, and gives the threads back. */
    void close() {
        threads.close(client);
    }
}
