package io.belay.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server, greeted, subscribed and checked, until it breaks. It is never mended but replaced by
 * another: so a command is sent at most once, and nobody mistakes a new server for the old one. Commands and pushes
 * share it where the server speaks RESP3, so that one cannot work while the other is dead; where they cannot, both are
 * looked after.
 */
final class Link {
    /** The listener to a link; called by Lettuce's threads. */
    interface Listener {
        void pushed(Link link, byte[] message);

        void broken(Link link);

        /** Tells that the server sends nothing of a channel any more: its slot has moved, or the client left it. */
        default void silenced(Link link, byte[] channel) {}
    }

    /** The name that what is tried out has in the place of a lock's: no user can choose it. */
    static final String CHECK = "\u0001check";

    private final StatefulRedisConnection<byte[], byte[]> commands;
    private final StatefulRedisPubSubConnection<byte[], byte[]> pushes;
    private final ServerInfo server;
    private final Function<ScriptForm, Scripts> loader;
    private final List<ScriptForm> forms;
    /** The scripts as this server takes them. */
    private volatile Scripts scripts;

    private volatile ScriptForm form;
    private volatile boolean severalKeys = true;
    private final Settings settings;
    private final Failures failures;
    private final int slot;
    private final ReplicaWait replicas;
    private volatile StoreClock clock;
    private volatile @Nullable Listener listener;

    /** The thread that writes commands, which is always the same; null before the first. */
    private volatile @Nullable Thread writer;

    private final AnswerWatch watch = new AnswerWatch();

    /** The watch of the pushes' own connection; null if they have none, and before they are subscribed to. */
    private volatile @Nullable PushWatch pushWatch;

    Link(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            ServerInfo server,
            Function<ScriptForm, Scripts> loader,
            Settings settings,
            int slot) {
        this.commands = commands;
        this.pushes = pushes;
        this.server = server;
        this.loader = loader;
        forms = ScriptForm.of(server);
        form = forms.get(0);
        scripts = loader.apply(form);
        this.settings = settings;
        this.slot = slot;
        failures = new Failures(settings);
        ReplicaPolicy policy = settings.replicas();
        replicas = new ReplicaWait(policy, () -> awaitReplicas(policy.count(), policy.timeout()), failures.address());
        clock = server.clock(failures.address());
    }

    /** Returns what the server's clock showed last. */
    StoreClock clock() {
        return clock;
    }

    /** Notes what the server's clock showed, in microseconds, after that instant, a {@link System#nanoTime()}. */
    void showed(long micros, long asked) {
        clock = new StoreClock(server.run(), micros, asked, System.nanoTime(), failures.address());
    }

    /** Returns the means to ask how many replicas have what was written on this connection. */
    ReplicaWait replicas() {
        return replicas;
    }

    /** Waits until so many replicas have all that was written on this connection, and tells how many have. */
    CompletableFuture<Long> awaitReplicas(int count, Duration longest) {
        return commands.async()
                .waitForReplication(count, longest.toMillis())
                .toCompletableFuture()
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(
                        error instanceof RedisCommandExecutionException
                                ? failures.reply(String.valueOf(error.getMessage()), null)
                                : failures.underWay(error)))
                .whenComplete((have, error) -> heard());
    }

    /** Gives the link up, since the server has become a replica. */
    void demoted() {
        Listener told = listener;
        if (told != null) {
            told.broken(this);
        }
    }

    /** Returns the number of this run of the server. */
    long run() {
        return server.run();
    }

    boolean isTo(Address address) {
        return settings.addresses().contains(address);
    }

    Scripts scripts() {
        return scripts;
    }

    /** Returns whether the server takes the scripts in the form in which it should, by its version. */
    boolean takesFirstForm() {
        return form.equals(forms.get(0));
    }

    /** Returns whether the server runs scripts of several keys, as far as is known. */
    boolean takesSeveralKeys() {
        return severalKeys && form.publishing() != Publishing.OUTSIDE;
    }

    /** Notes that the server has refused a script of several keys. */
    void takeOneKeyOnly() {
        severalKeys = false;
    }

    Failures failures() {
        return failures;
    }

    /**
     * Publishes what a script could not. Nobody waits for it: who does not hear of it asks by itself.
     *
     * @param untold what the script has answered behind its answer
     * @param key the key that the script was about
     */
    void publish(ByteBuffer untold, byte[] key) {
        for (Wire.Untold one : Wire.untold(untold, key)) {
            String channel = settings.prefix() + one.client();
            if (isSharded() && !one.ends()) {
                commands.async().spublish(settings.channel(channel, ClusterSlots.of(key)), one.message());
            } else {
                commands.async().publish(channel.getBytes(StandardCharsets.US_ASCII), one.message());
            }
        }
    }

    /** Returns whether a client listens on a channel in each slot in which it waits. */
    boolean isSharded() {
        return Publishing.of(server) == Publishing.SHARDED;
    }

    /** Reads an error that only says that another node is to be asked; null if it is another error. */
    @Nullable
    Redirect redirect(String error) {
        return settings.cluster() ? Redirect.of(error, settings.addresses().get(0)) : null;
    }

    /** Subscribes to the client's channel and tries out every right that is needed. */
    CompletableFuture<Link> prepare(String channel, Listener listener) {
        if (isSharded() && commands != pushes) { // Lettuce leaves no channel of a slot then
            return CompletableFuture.failedFuture(failures.unusable(
                    "is in a cluster of 7.0 or later, where Belay speaks RESP3 alone: leave protocol=resp2 out of the"
                            + " URL, or let the server take HELLO and begin this client anew",
                    null));
        }
        this.listener = listener;
        byte[] everywhere = channel.getBytes(StandardCharsets.US_ASCII);
        RedisConnectionStateListener ends = new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                listener.broken(Link.this);
            }
        };
        commands.addListener(ends);
        if (commands != pushes) {
            pushes.addListener(ends);
        }
        pushes.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] from, byte @Nullable [] message) {
                if (message != null && message.length > 0) { // the check's own is empty
                    listener.pushed(Link.this, message);
                }
            }

            @Override
            public void smessage(byte[] from, byte[] message) {
                message(from, message);
            }

            @Override
            public void sunsubscribed(byte[] from, long left) {
                listener.silenced(Link.this, from);
            }
        });
        CompletableFuture<Void> hears = pushes.async().subscribe(everywhere).toCompletableFuture();
        if (commands != pushes) {
            // To subscribe again changes nothing, is answered each time, and takes no further right, as a PING would.
            pushWatch = new PushWatch(() -> pushes.async().subscribe(everywhere));
        }
        if (slot < 0) { // a node to which a first slot is only moving
            return hears.thenApply(done -> this);
        }
        byte[] anyKey = settings.cluster() ? ClusterSlots.in(slot, settings.prefix(), CHECK) : settings.key(CHECK);
        byte[] name = isSharded() ? settings.channel(channel, slot) : everywhere;
        return hears.thenCompose(done -> isSharded() ? listen(name) : hears)
                .thenCompose(done -> firstCheck(anyKey, name, 0))
                .thenCompose(heard -> check(anyKey, name, false))
                .thenCompose(heard -> form.publishing() == Publishing.OUTSIDE ? tryPublishing(name) : done(heard))
                .thenCompose(heard -> mayWait().thenApply(can -> heard))
                .thenCompose(heard -> tryTheRest(anyKey, everywhere).thenApply(can -> heard))
                .thenApply(heard -> {
                    if (heard == 0) {
                        // Or the connection that was to hear it has just ended.
                        throw failures.unreachable("lets this client subscribe, but its messages do not arrive", null);
                    }
                    return this;
                });
    }

    private CompletableFuture<Long> mayWait() {
        return replicas.isAsked() ? awaitReplicas(0, Duration.ofMillis(1)) : CompletableFuture.completedFuture(0L);
    }

    private static CompletableFuture<Long> done(Long heard) {
        return CompletableFuture.completedFuture(heard);
    }

    /** Tries the forms of the scripts until the server takes one. If it takes none, what it said to the first one counts. */
    private CompletableFuture<Long> firstCheck(byte[] anyKey, byte[] channel, int which) {
        form = forms.get(which);
        scripts = loader.apply(form);
        ScriptCall<Long> call = check(anyKey, channel, true);
        return call.toCompletableFuture().exceptionallyCompose(error -> {
            String said = call.getOutput().getError();
            boolean more = which + 1 < forms.size() && said != null && ScriptForm.isRefusal(said);
            return !more
                    ? CompletableFuture.failedFuture(error)
                    : firstCheck(anyKey, channel, which + 1)
                            .exceptionallyCompose(later -> CompletableFuture.failedFuture(error));
        });
    }

    /** Tries out what a cluster takes only once a slot moves, a client leaves a channel, or a claim is ended by force. */
    private CompletableFuture<Void> tryTheRest(byte[] anyChannel, byte[] everywhere) {
        if (!settings.cluster()) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<?>> all = new ArrayList<>();
        all.add(unlessDenied(commands.async().asking())); // which is about the next command, and that has no key
        all.add(unlessDenied(commands.async().publish(everywhere, new byte[0])));
        if (isSharded()) {
            all.add(unlessDenied(pushes.async().sunsubscribe(anyChannel)));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** Passes over an error that is not about rights: where a provider blocks such a command, its cluster may need none. */
    private static CompletableFuture<?> unlessDenied(CompletionStage<?> tried) {
        return tried.toCompletableFuture().handle((done, error) -> {
            boolean passes = error == null
                    || (error instanceof RedisCommandExecutionException
                            && !String.valueOf(error.getMessage()).startsWith("NOPERM"));
            if (!passes) {
                throw new CompletionException(error);
            }
            return done;
        });
    }

    private CompletableFuture<Long> tryPublishing(byte[] channel) {
        byte[] nothing = new byte[0];
        return (isSharded()
                        ? commands.async().spublish(channel, nothing)
                        : commands.async().publish(channel, nothing))
                .toCompletableFuture();
    }

    private ScriptCall<Long> check(byte[] anyKey, byte[] channel, boolean byText) {
        return run(new ScriptCall<>(
                this,
                scripts.check,
                new byte[][] {anyKey},
                new byte[][] {channel},
                null,
                Outputs.number(),
                byText,
                false,
                ScriptCall.Passage.ANY));
    }

    /** Listens on a channel in a slot of this node's. */
    CompletableFuture<Void> listen(byte[] channel) {
        return pushes.async().ssubscribe(channel).toCompletableFuture();
    }

    void unlisten(byte[] channel) {
        pushes.async().sunsubscribe(channel);
    }

    /** Asks a node of a cluster which master has which slots. */
    CompletableFuture<ClusterSlots> slots() {
        return commands.async()
                .clusterSlots()
                .toCompletableFuture()
                .thenApply(reply -> ClusterSlots.of(reply, settings.addresses().get(0)));
    }

    /**
     * Reads some of the server's keys.
     *
     * @param cursor where to go on, in the server's words
     * @param pattern what they look like
     * @param count at how many keys the server looks, about
     */
    CompletableFuture<KeyScanCursor<byte[]>> scan(String cursor, byte[] pattern, int count) {
        return listing(commands.async()
                .scan(ScanCursor.of(cursor), new ScanArgs().match(pattern).limit(count)));
    }

    /** Asks a node of a cluster what it knows of itself and the others: a line for each. */
    CompletableFuture<String> nodes() {
        return listing(commands.async().clusterNodes());
    }

    private <T> CompletableFuture<T> listing(CompletionStage<T> answer) {
        return answer.toCompletableFuture()
                .orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(failures.listing(error)));
    }

    /** Runs a script about one key; {@code passage} is told of its way. */
    <T> CompletableFuture<T> run(
            Scripts.Script script,
            byte[] key,
            byte[] argument,
            String resource,
            CommandOutput<byte[], byte[], T> output,
            ScriptCall.Passage passage) {
        return run(new ScriptCall<>(
                this, script, new byte[][] {key}, new byte[][] {argument}, resource, output, false, false, passage));
    }

    /**
     * Runs a script.
     *
     * @param resource what it is about, for messages; null if nothing in particular
     * @param asking whether the node is to answer for a slot that is moving to it
     */
    <T> CompletableFuture<T> run(
            Scripts.Script script,
            byte[][] keys,
            byte[][] arguments,
            @Nullable String resource,
            CommandOutput<byte[], byte[], T> output,
            boolean asking) {
        return run(new ScriptCall<>(
                this, script, keys, arguments, resource, output, false, asking, ScriptCall.Passage.ANY));
    }

    private static <T> ScriptCall<T> run(ScriptCall<T> call) {
        call.dispatch();
        return call;
    }

    void dispatch(RedisCommand<byte[], byte[], ?> command) {
        watch.asked();
        commands.dispatch(command);
    }

    /** Sends commands one right behind the other. */
    void dispatch(List<RedisCommand<byte[], byte[], ?>> together) {
        watch.asked();
        commands.dispatch(together);
    }

    /** Notes that the calling thread writes a command. */
    void writes() {
        Thread now = Thread.currentThread();
        if (writer != now) {
            writer = now;
        }
    }

    /** Returns whether the calling thread is the one that writes commands, or may be. */
    boolean isWriter() {
        Thread known = writer;
        return known == null || known == Thread.currentThread();
    }

    /** Counts a reply. Called by the connection's own thread alone. */
    void heard() {
        watch.heard();
    }

    boolean isOpen() {
        return commands.isOpen() && pushes.isOpen();
    }

    /** Looks whether nothing comes although something was asked. */
    boolean isSilent() {
        boolean used = watch.isAsked();
        PushWatch others = pushWatch;
        boolean silent = watch.isSilent(replicas.isUnderWay()); // that stands behind an answer, and is asked but once
        return (others != null && others.isSilent(used)) || silent;
    }

    void close() {
        commands.closeAsync();
        if (commands != pushes) {
            pushes.closeAsync();
        }
    }
}
