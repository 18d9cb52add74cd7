package io.belay.etcd;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.node.Slots;
import io.belay.spi.ClaimId;
import io.belay.spi.Store.NamePage;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Claims as keys of etcd, each attached to a lease. Their order is that of their create revisions, of which the tokens
 * are made; every step is one transaction.
 */
final class EtcdNodes implements Nodes {
    private static final DeleteOption PREFIX =
            DeleteOption.builder().isPrefix(true).build();

    private final Connection connection;
    private final KV kv;
    private final Keys keys;
    private final LayoutKey layout;
    private final Leases leases;
    private final Slots slots = new Slots();
    private final Reading reading;
    private final NamePages names;

    EtcdNodes(Connection connection, Keys keys, LayoutKey layout, long client) {
        this.connection = connection;
        this.keys = keys;
        this.layout = layout;
        kv = connection.client().getKVClient();
        leases = new Leases(connection.client().getLeaseClient(), connection.timeout(), client);
        reading = new Reading(connection, keys, layout);
        names = new NamePages(connection, keys, layout);
    }

    @Override
    public boolean leasePerClaim() {
        return true;
    }

    private <T> CompletionStage<T> told(CompletableFuture<T> reply) {
        return connection.told(reply);
    }

    private static ByteSequence bytes(String key) {
        return ByteSequence.from(key, StandardCharsets.UTF_8);
    }

    private static PutOption with(long lease) {
        return PutOption.builder().withLeaseId(lease).build();
    }

    private static Cmp made(ByteSequence key, long revision) {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(revision));
    }

    private static Cmp unchanged(ByteSequence key, long version) {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(version));
    }

    @Override
    public CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details) {
        // Taken before anything is asked, so that a leave finds what may still come.
        ByteSequence key = bytes(keys.claim(resource, id.client(), slots.take(id), capacity, 0));
        leases.entering(id);
        return enter(resource, id, key, details, true).whenComplete((entry, error) -> leases.entered(id));
    }

    private CompletionStage<Optional<Position>> enter(
            String resource, ClaimId id, ByteSequence key, Details details, boolean again) {
        // The layout before the slot: a leave looks in the other order, and buries nothing at another layout.
        return layout.made()
                .thenCompose(seen -> slots.isTaken(id)
                        ? enter(resource, id, key, details, seen, again)
                        : CompletableFuture.completedStage(Optional.empty()));
    }

    private CompletionStage<Optional<Position>> enter(
            String resource, ClaimId id, ByteSequence key, Details details, long seen, boolean again) {
        return told(leases.usable(id, details)).thenCompose(lease -> {
            CompletableFuture<Optional<TxnResponse>> reply = kv.txn()
                    .If(made(key, 0), made(keys.ended(id), 0), layout.unchanged(seen))
                    .Then(
                            Op.put(key, Values.of(id.number(), details), with(lease.id())),
                            reading.claims(resource),
                            reading.capacity(resource))
                    .Else(reading.claims(resource), reading.capacity(resource), layout.read())
                    .commit()
                    .thenApply(Optional::of)
                    .exceptionally(error -> {
                        if (!again || !EtcdFailures.isNotFound(error)) {
                            throw new CompletionException(error);
                        }
                        lease.end(); // unseen, and nothing was done
                        return Optional.empty();
                    });
            return told(reply).thenCompose(done -> {
                if (done.isEmpty() || layout.isToBlame(seen, done.get(), again)) {
                    return enter(resource, id, key, details, false);
                }
                Optional<Position> entry = entry(resource, done.get(), id);
                if (entry.isEmpty()) {
                    slots.abandon(id); // it was left before it came
                    leases.forget(id);
                }
                return CompletableFuture.completedStage(entry);
            });
        });
    }

    /** Finds a claim's own node, whose key may have another lease than was asked for, if it was made before. */
    private Optional<Position> entry(String resource, TxnResponse done, ClaimId id) {
        NodeQueue line = reading.line(resource, done);
        return line.nodes().stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .map(own -> new Position(
                        line, own, leases.until(own, Reading.lease(done, own)).orElseGet(Deadline::over)));
    }

    @Override
    public CompletionStage<NodeQueue> list(String resource, boolean whole) {
        return reading.list(resource);
    }

    @Override
    public CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear) {
        Keys.Claim stay = Keys.parse(own.key());
        if (stay == null) {
            throw new IllegalArgumentException(own.key());
        }
        String next = keys.claim(resource, stay.client(), stay.slot(), own.capacity(), 1 - stay.stay());
        Cmp asSeen = made(bytes(own.key()), own.order());
        return told(leases.usable(own.id(), details))
                .thenCompose(lease -> {
                    Op[] steps = {
                        Op.delete(bytes(own.key()), DeleteOption.DEFAULT),
                        Op.put(bytes(next), Values.of(own.id().number(), details), with(lease.id())),
                        reading.claims(resource),
                        reading.capacity(resource)
                    };
                    CompletionStage<TxnResponse> moved = unclear
                            ? bury(own.id(), List.of(asSeen), steps)
                            : told(kv.txn().If(asSeen).Then(steps).commit());
                    return moved.whenComplete((done, error) -> {
                        if (EtcdFailures.isNotFound(error)) {
                            lease.end(); // it ended unseen, and nothing was done: whoever asks again has another one
                        }
                    });
                })
                .thenApply(done -> done.isSucceeded() ? entry(resource, done, own.id()) : Optional.<Position>empty())
                // It makes way all the same: those behind it need no room, and nobody here gets the lock before it has.
                .exceptionallyCompose(error -> EtcdFailures.isFull(error)
                        ? end(own).thenApply(ended -> Optional.empty())
                        : CompletableFuture.failedStage(error));
    }

    @Override
    public CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear) {
        // Its own lease ends after it: revoked before, it would look as if the claim had been lost.
        return (own == null || unclear ? sweep(resource, id, unclear) : delete(resource, own))
                .exceptionallyCompose(error -> {
                    CompletionStage<Boolean> failed = CompletableFuture.failedStage(error);
                    // What writes nothing is done all the same, and all of it once more when there is room.
                    return unclear && EtcdFailures.isFull(error)
                            ? sweep(resource, id, false).thenCompose(left -> failed)
                            : failed;
                })
                .thenApply(left -> {
                    leases.forget(id);
                    return left;
                })
                .exceptionally(error -> {
                    if (leases.isOver(id)) {
                        slots.abandon(id);
                        leases.forget(id);
                        return false;
                    }
                    leases.leftInVain(id);
                    throw new CompletionException(error);
                });
    }

    /** Ends a node as it was seen: a copy of this request that comes late finds another node, and does nothing. */
    private CompletionStage<Boolean> delete(String resource, Node own) {
        return slots.end(own.id(), end(own), () -> sweep(resource, own.id(), false));
    }

    /** Ends whatever has a claim's slot, which no other claim gets: a copy of this request may come late. */
    private CompletionStage<Boolean> sweep(String resource, ClaimId id, boolean unclear) {
        OptionalLong slot = slots.abandon(id); // before that is asked, and whatever another leave of it finds
        // At another layout no enter succeeds, and nothing is written; one that goes on later has no slot then.
        boolean buries = unclear && !layout.isRefused();
        if (slot.isEmpty()) { // no enter of it is known here
            return buries ? bury(id, List.of()).thenCompose(buried -> search(resource, id)) : search(resource, id);
        }
        Op stays = Op.delete(keys.stays(resource, id.client(), slot.getAsLong()), PREFIX);
        CompletionStage<TxnResponse> swept =
                buries ? bury(id, List.of(), stays) : told(kv.txn().Then(stays).commit());
        return swept.thenApply(done -> done.getDeleteResponses().get(0).getDeleted() > 0);
    }

    /** Refuses any enter of the claim that may still be on its way, and does other steps before in the same transaction. */
    private CompletionStage<TxnResponse> bury(ClaimId id, List<Cmp> conditions, Op... before) {
        return bury(id, conditions, List.of(before), true);
    }

    private CompletionStage<TxnResponse> bury(ClaimId id, List<Cmp> conditions, List<Op> before, boolean again) {
        return told(leases.grave()).thenCompose(grave -> {
            List<Op> steps = new ArrayList<>(before);
            steps.add(Op.put(keys.ended(id), ByteSequence.EMPTY, with(grave)));
            return told(kv.txn()
                    .If(conditions.toArray(Cmp[]::new))
                    .Then(steps.toArray(Op[]::new))
                    .commit()
                    .exceptionallyCompose(error -> {
                        if (!again || !EtcdFailures.isNotFound(error)) {
                            return CompletableFuture.failedFuture(error);
                        }
                        leases.noGrave(grave); // it ended unseen, and nothing was done
                        return bury(id, conditions, before, false);
                    }));
        });
    }

    /** Ends a claim's nodes until it has none: a yield that comes late may have moved one since it was listed. */
    private CompletionStage<Boolean> search(String resource, ClaimId id) {
        // Also at another layout: else it would be told that there is none.
        return reading.list(keys.claims(resource)).thenCompose(nodes -> {
            List<Node> its = nodes.stream().filter(node -> node.id().equals(id)).toList();
            return its.isEmpty()
                    ? CompletableFuture.completedStage(false)
                    : remove(resource, its)
                            .thenCompose(any -> search(resource, id).thenApply(more -> any || more));
        });
    }

    /** Returns the step that ends a node if it is there as it was seen. */
    private static Op ending(Node seen) {
        ByteSequence key = bytes(seen.key());
        return Op.txn(
                new Cmp[] {made(key, seen.order())}, new Op[] {Op.delete(key, DeleteOption.DEFAULT)}, new Op[] {});
    }

    private CompletionStage<Boolean> end(Node seen) {
        ByteSequence key = bytes(seen.key());
        return told(kv.txn()
                        .If(made(key, seen.order()))
                        .Then(Op.delete(key, DeleteOption.DEFAULT))
                        .commit())
                .thenApply(TxnResponse::isSucceeded);
    }

    private static boolean hasEnded(TxnResponse response) {
        return response.getTxnResponses().stream().anyMatch(TxnResponse::isSucceeded);
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        List<CompletableFuture<TxnResponse>> replies = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i += Reading.CHUNK) {
            Op[] steps = nodes.subList(i, Math.min(nodes.size(), i + Reading.CHUNK)).stream()
                    .map(EtcdNodes::ending)
                    .toArray(Op[]::new);
            replies.add(told(kv.txn().Then(steps).commit()).toCompletableFuture());
        }
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> replies.stream().anyMatch(reply -> hasEnded(reply.join())));
    }

    @Override
    public CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next) {
        return resize(keys.capacity(resource), read, next, true);
    }

    private CompletionStage<Boolean> resize(ByteSequence key, Capacity read, Capacity next, boolean again) {
        Op write = next.equals(Capacity.NONE)
                ? Op.delete(key, DeleteOption.DEFAULT)
                : Op.put(key, bytes(next.text()), PutOption.DEFAULT);
        return layout.made()
                .thenCompose(seen -> told(kv.txn()
                                .If(unchanged(key, read.version()), layout.unchanged(seen))
                                .Then(write)
                                .Else(layout.read())
                                .commit())
                        .thenCompose(done -> layout.isToBlame(seen, done, again)
                                ? resize(key, read, next, false)
                                : CompletableFuture.completedStage(done.isSucceeded())));
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return reading.read(nodes);
    }

    @Override
    public Optional<List<Optional<Node>>> known(List<Node> nodes) {
        return reading.lines().known(nodes);
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        OptionalLong lease = leases.number(node);
        return lease.isPresent()
                ? write(node, details, lease.getAsLong())
                : told(kv.get(bytes(node.key()), GetOption.DEFAULT))
                        .thenCompose(reply -> reply.getKvs().stream()
                                .filter(found -> found.getModRevision() == node.version())
                                .findFirst()
                                .map(found -> write(node, details, found.getLease()))
                                .orElseGet(() -> CompletableFuture.completedStage(Optional.empty())));
    }

    private CompletionStage<Optional<Node>> write(Node node, Details details, long lease) {
        ByteSequence key = bytes(node.key());
        return told(kv.txn()
                        .If(unchanged(key, node.version()))
                        .Then(Op.put(key, Values.of(node.id().number(), details), with(lease)))
                        .commit())
                .thenApply(done -> done.isSucceeded()
                        ? Optional.of(node.with(done.getHeader().getRevision(), details))
                        : Optional.empty());
    }

    @Override
    public List<CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held) {
        Map<ClientLease, CompletionStage<ClientLease>> alive = new HashMap<>();
        List<CompletionStage<ClientLease>> living = own.stream()
                .map(node -> alive.computeIfAbsent(leases.of(node), lease -> told(lease.alive())))
                .toList();
        List<CompletableFuture<GetResponse>> replies = reading.gets(own);
        List<CompletionStage<Optional<Deadline>>> ends = new ArrayList<>(own.size());
        for (int i = 0; i < own.size(); i++) {
            Node node = own.get(i);
            // It may have been read before its lease was found to have ended.
            ends.add(replies.get(i)
                    .thenCombine(
                            living.get(i),
                            (reply, kept) -> reply.getKvs().stream()
                                    .filter(found -> found.getCreateRevision() == node.order())
                                    .findFirst()
                                    .flatMap(found -> leases.until(node, found.getLease()))));
        }
        return ends;
    }

    @Override
    public CompletionStage<Optional<Node>> fix(Node own, Details details, long lease) {
        // A move that is not answered may still be made, so its lease is left to end by itself.
        return told(leases.grant(own.id(), lease))
                .thenCompose(granted -> write(own, details, granted.number()).thenApply(moved -> {
                    moved.ifPresentOrElse(
                            node -> leases.moved(own.id(), granted, node.version()),
                            () -> leases.dropMove(own.id(), granted));
                    return moved;
                }));
    }

    @Override
    public Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed) {
        return QueueWatches.isWorth(ahead) ? reading.lines().await(node, changed) : watch(node, changed);
    }

    private Watch watch(Node node, Consumer<Optional<Node>> changed) {
        return connection.watch(new KeyWatch(bytes(node.key()), KeyWatch.ONE) {
            @Override
            CompletionStage<@Nullable Runnable> look() {
                return read(List.of(node)).thenApply(found -> {
                    Optional<Node> now = found.get(0);
                    boolean same = now.isPresent() && now.get().version() == node.version();
                    return same ? null : () -> changed.accept(now);
                });
            }

            @Override
            @Nullable
            Runnable seen(WatchEvent event) {
                if (event.getKeyValue().getModRevision() <= node.version()) {
                    return null; // of a member that lags, and maybe of what had this key before
                }
                boolean gone = event.getEventType() == WatchEvent.EventType.DELETE;
                Optional<Node> now = gone ? Optional.empty() : reading.node(event.getKeyValue());
                return () -> changed.accept(now);
            }
        });
    }

    @Override
    public Watch watchArrivals(String resource, Node own, int room, Runnable arrived) {
        return connection.watch(new KeyWatch(keys.claims(resource), KeyWatch.arrivals(own.order())) {
            @Override
            CompletionStage<@Nullable Runnable> look() {
                // Also at another layout: a look that failed would begin the watch anew, again and again.
                return reading.list(keys.claims(resource))
                        .thenApply(nodes -> nodes.stream().anyMatch(this::isIt) ? arrived : null);
            }

            @Override
            @Nullable
            Runnable seen(WatchEvent event) {
                return reading.node(event.getKeyValue()).filter(this::isIt).isPresent() ? arrived : null;
            }

            private boolean isIt(Node node) {
                return node.order() > own.order() && node.details().weight() > room;
            }
        });
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return names.read(prefix, cursor);
    }

    @Override
    public void close() {
        connection.close();
    }
}
