package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The store of one client on a Redis cluster: each lock is on the master that has the slot of its key. */
final class ClusterStore implements Store, ClusterNodes.Owner {
    private static final int MOST_REDIRECTS = 5;
    private static final long SWEEP_MILLIS = 10_000;

    private final Settings settings;
    private final Connector connector;
    private final long client;
    private final Listener listener;
    private final ClusterNodes nodes;
    private final ShardChannels channels;
    private final ClusterNames names;
    private final ReplicaRefusal refusal;
    private final ForeignPushes foreign = new ForeignPushes();
    private volatile boolean closed;

    /** The run of a script, on the node that turns out to have the slot. */
    private interface Call<T> {
        CompletableFuture<T> on(Link link, boolean asking);
    }

    private ClusterStore(Settings settings, Connector connector, long client, Listener listener) {
        this.settings = settings;
        this.connector = connector;
        this.client = client;
        this.listener = listener;
        refusal = new ReplicaRefusal(settings, this::send);
        String channel = settings.channel(client);
        channels = new ShardChannels(settings, channel);
        nodes = new ClusterNodes(connector, channel, this);
        names = new ClusterNames(nodes, settings);
    }

    /** Connects for the first time; throws what goes wrong, for the user to know. */
    static ClusterStore connect(Settings settings, Connector connector, long client, Listener listener) {
        ClusterStore store = new ClusterStore(settings, connector, client, listener);
        store.nodes.connect();
        connector.trust();
        connector.every(store.channels::sweep, SWEEP_MILLIS);
        return store;
    }

    @Override
    public Capabilities capabilities() {
        return RedisStore.CAPABILITIES;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return refusal.check(request, () -> ask(request));
    }

    private CompletionStage<Answer> ask(Request request) {
        byte[] key = settings.key(request.resource());
        int slot = ClusterSlots.of(key);
        if (request instanceof Request.Leave leave) {
            // Now, as the answer may never come.
            channels.forget(slot, leave.id());
        }
        byte[][] arguments = {Wire.encode(request), ClusterSlots.tag(slot)};
        CompletableFuture<Answer> answer = route(
                slot,
                (link, asking) -> link.replicas()
                        .behind(link.run(
                                link.scripts().of(request),
                                new byte[][] {key},
                                arguments,
                                request.resource(),
                                Outputs.answer(request, link.run(), untold -> link.publish(untold, key)),
                                asking)));
        if (request instanceof Request.OfClaim claim) {
            boolean sticky =
                    request instanceof Request.Enter enter && enter.spec().sticky();
            return answer.thenCompose(told -> heard(claim, slot, told, sticky));
        }
        return answer;
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        byte[] key = settings.key(resource);
        return route(
                ClusterSlots.of(key),
                (link, asking) -> link.run(
                        link.scripts().inspect,
                        new byte[][] {key},
                        new byte[0][],
                        resource,
                        Outputs.snapshot(),
                        asking));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        return closed
                ? CompletableFuture.failedStage(StoreException.unusable("the client was closed", null))
                : names.page(prefix, cursor);
    }

    /**
     * Listens for what is pushed to a claim: to one that waits, its grant; to a sticky one, that somebody else wants
     * the lock. Where this client has not listened until now, it asks the server once more, as something may have been
     * pushed before.
     */
    private CompletionStage<Answer> heard(Request.OfClaim request, int slot, Answer answer, boolean sticky) {
        boolean waits = answer.state() == Answer.State.WAITING;
        if (!waits && !(sticky && answer.state() == Answer.State.GRANTED)) {
            // What has an end of its own hears nothing here any more, and may not be left.
            if (answer.state() != Answer.State.GRANTED || request instanceof Request.Fix) {
                channels.forget(slot, request.id());
            }
            return CompletableFuture.completedFuture(answer);
        }
        Link owner = nodes.link(slot);
        if (owner == null || !owner.isSharded()) {
            return CompletableFuture.completedFuture(answer);
        }
        return channels.listen(slot, request.id(), owner)
                .exceptionally(failed -> false) // it asks now and then, too
                .thenCompose(isNew -> isNew ? again(request, slot, answer) : CompletableFuture.completedFuture(answer));
    }

    private CompletionStage<Answer> again(Request.OfClaim request, int slot, Answer answer) {
        // The lease that is left does: this is to ask, not to renew.
        long left = Math.max(1, answer.deadline() - answer.time());
        Request ask = request instanceof Request.Describe
                ? request
                : Request.Renew.of(request.resource(), request.id(), answer.sequence(), left, waiters(request), false);
        byte[][] keys = {settings.key(request.resource())};
        byte[][] arguments = {Wire.encode(ask), ClusterSlots.tag(slot)};
        return route(
                        slot,
                        (link, asking) -> link.replicas()
                                .behind(link.run(
                                        link.scripts().of(ask),
                                        keys,
                                        arguments,
                                        request.resource(),
                                        Outputs.answer(ask, link.run(), untold -> link.publish(untold, keys[0])),
                                        asking)))
                .exceptionally(failed -> answer);
    }

    private static int waiters(Request request) {
        return request instanceof Request.Enter enter
                ? enter.localWaiters()
                : request instanceof Request.Renew renew
                        ? renew.localWaiters()
                        : request instanceof Request.Yield yield ? yield.localWaiters() : 0;
    }

    private <T> CompletableFuture<T> route(int slot, Call<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Link to = nodes.link(slot);
        if (to == null) {
            result.completeExceptionally(
                    closed ? StoreException.unusable("the client was closed", null) : nodes.unreachable(slot));
        } else {
            attempt(slot, call, to, false, MOST_REDIRECTS, result);
        }
        return result;
    }

    private <T> void attempt(int slot, Call<T> call, Link to, boolean asking, int left, CompletableFuture<T> result) {
        call.on(to, asking).whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
            } else if (cause(error) instanceof Redirect redirect) {
                redirected(slot, call, redirect, left, result);
            } else {
                nodes.doubt(cause(error));
                result.completeExceptionally(cause(error));
            }
        });
    }

    /** Sends a call once more, to the node that a redirect names: the first node has run nothing. */
    private <T> void redirected(int slot, Call<T> call, Redirect redirect, int left, CompletableFuture<T> result) {
        Link to = redirect.isMoved() ? nodes.moved(slot, redirect.to()) : nodes.linkAhead(redirect.to());
        if (to == null || left == 0) {
            result.completeExceptionally(redirect.asFailure());
        } else {
            attempt(slot, call, to, !redirect.isMoved(), left - 1, result);
        }
    }

    private static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    @Override
    public void pushed(Link from, byte[] message) {
        try {
            Push push = Wire.push(message, settings, client, from.run());
            // What is broadcast comes over every node, and counts where it was said.
            if (nodes.link(ClusterSlots.of(settings.key(push.resource()))) == from) {
                refusal.pushed(push, listener::pushed);
            }
        } catch (IllegalArgumentException e) {
            foreign.from(from, settings.address());
        }
    }

    @Override
    public void silenced(Link link, byte[] channel) {
        if (channels.silenced(link, channel)) {
            nodes.refresh();
        }
    }

    @Override
    public void changed(boolean again) {
        List<CompletableFuture<Void>> moved = channels.follow(nodes::link);
        if (again || !moved.isEmpty()) {
            CompletableFuture.allOf(moved.toArray(CompletableFuture<?>[]::new)).whenComplete((done, failed) -> {
                if (failed != null) {
                    nodes.refresh(); // one that was asked who has the slot did not know yet
                }
                if (again || failed == null) {
                    listener.reconnected();
                }
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        nodes.stop();
        connector.close();
    }
}
