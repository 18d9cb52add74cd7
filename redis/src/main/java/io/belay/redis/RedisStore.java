package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The store of one client on one Redis server: a key for each resource, a script for each operation, one connection.
 * If sentinels watch the server, it is whichever they call the master.
 */
final class RedisStore implements Store, ServerConnection.Owner {
    private static final Log LOG = Log.of(LogName.STORE);
    /** What one server can do, and a cluster as well. */
    static final Capabilities CAPABILITIES = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true)
            .withSharing(true);

    private final Settings settings;
    private final Connector connector;
    private final long client;
    private final Listener listener;
    private final ServerConnection node;
    private final Enters enters = new Enters();
    private final ReplicaRefusal refusal;
    private final ForeignPushes foreign = new ForeignPushes();
    private final @Nullable Sentinels sentinels;
    private final @Nullable FailoverWatch watch;

    private RedisStore(Settings settings, Connector connector, long client, Listener listener) {
        this.settings = settings;
        this.connector = connector;
        this.client = client;
        this.listener = listener;
        refusal = new ReplicaRefusal(settings, this::send);
        if (settings.sentinels()) {
            Sentinels asked = new Sentinels(connector);
            sentinels = asked;
            node = new ServerConnection(connector, asked::locate, settings.channel(client), this);
            watch = new FailoverWatch(connector, asked, this::moved);
        } else {
            CompletableFuture<Connector> here = CompletableFuture.completedFuture(connector);
            node = new ServerConnection(connector, () -> here, settings.channel(client), this);
            sentinels = null;
            watch = null;
        }
    }

    /** Connects for the first time; throws what goes wrong, for the user to know. */
    static RedisStore connect(Settings settings, Connector connector, long client, Listener listener) {
        RedisStore store = new RedisStore(settings, connector, client, listener);
        try {
            store.node.connect().join();
        } catch (CompletionException e) {
            throw store.node.explain(e);
        }
        connector.trust();
        if (store.watch != null) {
            store.watch.start();
        }
        return store;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Link to = node.link();
        return to == null ? unsent() : check(to, request);
    }

    private CompletionStage<Answer> check(Link to, Request request) {
        return refusal.check(request, () -> to.replicas().behind(send(to, request)));
    }

    private CompletableFuture<Answer> send(Link to, Request request) {
        Request fitting = enters.over(to, request);
        CompletableFuture<Answer> answer = to.run(
                to.scripts().of(fitting),
                settings.key(request.resource()),
                Wire.encode(fitting),
                request.resource(),
                Outputs.answer(request, to.run(), untold -> to.publish(untold, settings.key(request.resource()))),
                request instanceof Request.Enter enter ? enters.passage(enter.id(), to) : ScriptCall.Passage.ANY);
        if (request instanceof Request.Enter enter) {
            answer.whenComplete((told, error) -> enters.ended(enter.id(), to, error == null));
        }
        return answer;
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        Link to = node.link();
        if (to == null) {
            return Collections.nCopies(renewals.size(), unsent());
        } else if (!to.takesSeveralKeys()
                || renewals.size() == 1
                || settings.replicas().refuses()) {
            return renewals.stream().map(renewal -> check(to, renewal)).toList();
        }
        byte[][] keys = new byte[renewals.size()][];
        List<CompletableFuture<Answer>> answers = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = settings.key(renewals.get(i).resource());
            answers.add(new CompletableFuture<>());
        }
        byte[][] arguments = {Wire.encode(renewals)};
        long asked = System.nanoTime();
        to.run(to.scripts().renewSeveral, keys, arguments, null, Outputs.renewed(keys.length, to.run()), false)
                .whenComplete((renewed, error) -> {
                    if (error == null) {
                        renewed.answers().stream()
                                .filter(Objects::nonNull)
                                .findFirst()
                                .ifPresent(answer -> to.showed(answer.time(), asked));
                        tell(to, renewals, renewed, answers);
                    } else if (error instanceof ScriptCall.OneKeyOnly) {
                        to.takeOneKeyOnly();
                        renewEach(to, renewals, answers);
                    } else {
                        answers.forEach(answer -> answer.completeExceptionally(error));
                    }
                });
        return answers;
    }

    /** Renews one by one what the server has refused to renew in one script, of which it has run nothing. */
    private void renewEach(Link to, List<Request.Renew> renewals, List<CompletableFuture<Answer>> answers) {
        for (int i = 0; i < answers.size(); i++) {
            CompletableFuture<Answer> told = answers.get(i);
            to.replicas().behind(send(to, renewals.get(i))).whenComplete(Outcome.to(told));
        }
    }

    private static void tell(
            Link from, List<Request.Renew> renewals, Outputs.Renewed renewed, List<CompletableFuture<Answer>> answers) {
        renewed.errors().forEach((which, error) -> {
            String resource = renewals.get(which).resource();
            answers.get(which).completeExceptionally(from.failures().ofKey(error, resource));
        });
        from.replicas().tell(renewed.answers(), answers);
        if (renewed.errors().values().stream().anyMatch(Replies::isReadOnly)) {
            from.demoted();
        }
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Link to = node.link();
        return to == null
                ? unsent()
                : to.run(
                        to.scripts().inspect,
                        new byte[][] {settings.key(resource)},
                        new byte[0][],
                        resource,
                        Outputs.snapshot(),
                        false);
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        Link to = node.link();
        return to == null ? unsent() : NameScan.page(to, settings, prefix, cursor);
    }

    private <T> CompletionStage<T> unsent() {
        return CompletableFuture.failedStage(
                node.isClosed() ? StoreException.unusable("the client was closed", null) : node.down());
    }

    @Override
    public void pushed(Link from, byte[] message) {
        try {
            refusal.pushed(Wire.push(message, settings, client, from.run()), listener::pushed);
        } catch (IllegalArgumentException e) {
            foreign.from(from, settings.address());
        }
    }

    /** Leaves a server if another is the master: what the last one says counts no more. */
    private void moved(Address master) {
        Link old = node.link();
        if (old != null && !old.isTo(master)) {
            LOG.info("The master is {} now", master);
            node.broken(old);
        }
    }

    @Override
    public void connectedAgain(ServerConnection again) {
        Address master = sentinels == null ? null : sentinels.master();
        if (master != null) {
            moved(master); // it may have changed since this connection was begun
        }
        listener.reconnected();
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        node.stop();
        connector.close();
    }
}
