package io.belay.simulation;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.node.Slots;
import io.belay.simulation.Directory.Stored;
import io.belay.spi.ClaimId;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are attached to leases of whole seconds, and whose keys are used again: as in etcd. Each step is one request;
 * what is asked at about the same time may be done in any order.
 */
final class LeaseNodes extends NodeLink implements Nodes {
    private static final long SECOND = 1_000_000_000;

    /** The present lease of each length. */
    private final TreeMap<Long, SharedLease> shared = new TreeMap<>();
    /** All leases that were granted, by number. */
    private final Map<Long, SharedLease> leases = new HashMap<>();
    /** What the nodes of own claims are attached to, as far as is known. */
    private final Map<ClaimId, Long> attached = new HashMap<>();

    private final Slots slots = new Slots();
    private final Map<String, LineFollower> followers = new HashMap<>();
    private final boolean follows;

    /**
     * What was read.
     *
     * @param line the line
     * @param lifetime what the node of the claim that was asked about is attached to
     */
    private record Seen(NodeQueue line, long lifetime) {}

    LeaseNodes(Service service, Machine machine, long client) {
        super(service, machine, client);
        follows = world.chance.onceIn(2);
    }

    @Override
    public boolean leasePerClaim() {
        return true;
    }

    @Override
    boolean isInOrder() {
        return false;
    }

    // Leases.

    private static long whole(long micros) {
        return Math.max(1, (micros * 1000 + SECOND - 1) / SECOND) * SECOND;
    }

    /** What a claim's node is to be attached to: a lease, or 0 for one of nobody. */
    private CompletionStage<Long> usable(ClaimId id, Details details) {
        if (id.client() == ClaimId.NOBODY) {
            return CompletableFuture.completedStage(0L);
        }
        long nanos = whole(details.lease());
        SharedLease present = shared.get(nanos);
        if (present == null || present.isOver()) {
            present = new SharedLease(this, nanos);
            shared.put(nanos, present);
        }
        return present.granted().thenCompose(lease -> {
            leases.put(lease.id(), lease);
            if (lease.isOver()) {
                return usable(id, details);
            }
            attached.put(id, lease.id());
            return CompletableFuture.completedStage(lease.id());
        });
    }

    /** Until when what is attached to a lease lasts, by the client's clocks. */
    private Deadline until(long lifetime) {
        SharedLease lease = leases.get(lifetime);
        return lifetime == 0
                ? Deadline.of(machine.moment(), Long.MAX_VALUE / 4)
                : lease == null ? Deadline.of(machine.moment(), -SECOND) : lease.until();
    }

    private boolean isOver(long lifetime) {
        SharedLease lease = leases.get(lifetime);
        return lease != null && lease.isOver();
    }

    // What is done.

    @Override
    public CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details) {
        String key = key(resource, id, slots.take(id), 0);
        return enter(resource, id, capacity, key, details, true).thenApply(entry -> {
            if (entry.isEmpty()) {
                slots.abandon(id); // it was left before it came
            }
            return entry;
        });
    }

    private CompletionStage<Optional<Position>> enter(
            String resource, ClaimId id, int capacity, String key, Details details, boolean again) {
        return usable(id, details)
                .thenCompose(lease -> ask(() -> {
                            Directory directory = service.directory(resource);
                            if (!service.isThere(lease)) {
                                if (!again) {
                                    throw StoreException.unreachable("the lease is not there", null);
                                }
                                return new Seen(NodeQueue.EMPTY, -1);
                            } else if (directory.find(key) < 0 && !service.hasEnded(id)) {
                                service.make(directory, key, id, capacity, details, lease);
                            }
                            return seen(directory, id);
                        })
                        .thenCompose(seen -> {
                            SharedLease gone = leases.get(lease);
                            if (seen.lifetime() >= 0 || gone == null) {
                                return CompletableFuture.completedStage(entry(seen, id));
                            }
                            gone.end(); // nothing was done
                            return enter(resource, id, capacity, key, details, false);
                        }));
    }

    private static String key(String resource, ClaimId id, long slot, int stay) {
        return resource + "/" + id.client() + "-" + slot + "-" + stay;
    }

    private static Seen seen(Directory directory, ClaimId id) {
        long lifetime = directory.all().stream()
                .filter(stored -> stored.node().id().equals(id))
                .mapToLong(Stored::lifetime)
                .findFirst()
                .orElse(0);
        return new Seen(directory.line(), lifetime);
    }

    private Optional<Position> entry(Seen seen, ClaimId id) {
        for (Node node : seen.line().nodes()) {
            if (node.id().equals(id)) {
                attached.put(id, seen.lifetime());
                return Optional.of(new Position(seen.line(), node, until(seen.lifetime())));
            }
        }
        return Optional.empty();
    }

    @Override
    public CompletionStage<NodeQueue> list(String resource, boolean whole) {
        return ask(() -> service.directory(resource).line());
    }

    @Override
    public CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear) {
        String stay = own.key().endsWith("0") ? "1" : "0";
        String next = own.key().substring(0, own.key().length() - 1) + stay;
        return usable(own.id(), details)
                .thenCompose(lease -> ask(() -> {
                            Directory directory = service.directory(resource);
                            if (!service.isThere(lease)) {
                                throw StoreException.unreachable("the lease is not there", null);
                            } else if (directory.same(own).isEmpty()) {
                                return new Seen(NodeQueue.EMPTY, 0);
                            }
                            if (unclear) {
                                service.bury(own.id());
                            }
                            service.move(directory, own, next, details, lease, client());
                            return seen(directory, own.id());
                        })
                        .thenApply(seen -> entry(seen, own.id())));
    }

    @Override
    public CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear) {
        return (own == null || unclear ? sweep(resource, id, unclear) : end(resource, own))
                .thenApply(left -> {
                    attached.remove(id);
                    return left;
                })
                .exceptionally(error -> {
                    Long lifetime = attached.get(id);
                    SharedLease lease = lifetime == null ? null : leases.get(lifetime);
                    if (lease != null && lease.isOver()) {
                        slots.abandon(id);
                        return false; // it ends by itself, if it has not yet
                    }
                    throw new CompletionException(error);
                });
    }

    private CompletionStage<Boolean> end(String resource, Node own) {
        CompletionStage<Boolean> asSeen = ask(() -> {
            Directory directory = service.directory(resource);
            return directory.same(own).isPresent() && service.remove(directory, own.key(), own.id(), client());
        });
        return slots.end(own.id(), asSeen, () -> sweep(resource, own.id(), false));
    }

    private CompletionStage<Boolean> sweep(String resource, ClaimId id, boolean unclear) {
        OptionalLong slot = slots.abandon(id);
        if (slot.isEmpty()) {
            return search(resource, id, unclear);
        }
        return ask(() -> {
            buryIf(unclear, id);
            Directory directory = service.directory(resource);
            boolean first = service.remove(directory, key(resource, id, slot.getAsLong(), 0), id, client());
            return service.remove(directory, key(resource, id, slot.getAsLong(), 1), id, client()) || first;
        });
    }

    /** Ends a claim's nodes until it has none: a yield that comes late may have moved one since it was listed. */
    private CompletionStage<Boolean> search(String resource, ClaimId id, boolean unclear) {
        return ask(() -> {
                    buryIf(unclear, id);
                    return service.directory(resource).line();
                })
                .thenCompose(line -> {
                    List<Node> its = line.nodes().stream()
                            .filter(node -> node.id().equals(id))
                            .toList();
                    CompletionStage<Boolean> removed = remove(resource, its);
                    return its.isEmpty()
                            ? removed
                            : removed.thenCompose(
                                    any -> search(resource, id, false).thenApply(more -> any || more));
                });
    }

    private void buryIf(boolean unclear, ClaimId id) {
        if (unclear) {
            service.bury(id);
        }
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        return ask(() -> {
            boolean any = false;
            for (Node node : nodes) {
                Directory directory = service.directory(resource);
                any |= directory.same(node).isPresent() && service.remove(directory, node.key(), node.id(), client());
            }
            return any;
        });
    }

    @Override
    public CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next) {
        return ask(() -> service.resize(resource, read, next));
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return ask(() -> nodes.stream()
                .map(node -> service.of(node).same(node).map(Stored::node))
                .toList());
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        return ask(() -> service.write(node, details));
    }

    @Override
    public List<CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held) {
        Map<Long, CompletionStage<?>> alive = new HashMap<>();
        List<Long> lifetimes = new ArrayList<>();
        for (Node node : own) {
            long lifetime = attached.getOrDefault(node.id(), -1L);
            lifetimes.add(lifetime);
            SharedLease lease = leases.get(lifetime);
            if (lease != null) {
                alive.computeIfAbsent(lifetime, id -> lease.alive());
            }
        }
        CompletableFuture<List<Optional<Stored>>> read =
                ask(() -> own.stream().map(node -> service.of(node).same(node)).toList());
        List<CompletionStage<Optional<Deadline>>> ends = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            int which = i;
            Node node = own.get(i);
            ends.add(read.thenCombine(
                    alive.getOrDefault(lifetimes.get(i), CompletableFuture.completedFuture(null)), (found, kept) -> {
                        if (world.isBad(service.of(node).resource)) {
                            throw StoreException.unusable("'" + node.key() + "' cannot be renewed", null);
                        }
                        // It may have been read before its lease was found to have ended.
                        return found.get(which)
                                .filter(stored -> !isOver(stored.lifetime()))
                                .map(stored -> {
                                    attached.put(node.id(), stored.lifetime());
                                    return until(stored.lifetime());
                                });
                    }));
        }
        return ends;
    }

    @Override
    public CompletionStage<Optional<Node>> fix(Node own, Details details, long length) {
        return ask(() -> service.grant(whole(length) / 1000, null))
                .thenCompose(lease -> ask(() -> service.fix(own, details, lease))
                        .thenApply(fixed -> {
                            fixed.ifPresent(node -> attached.put(own.id(), lease));
                            return fixed;
                        }));
    }

    // What is watched.

    @Override
    public Optional<List<Optional<Node>>> known(List<Node> nodes) {
        LineFollower follower = nodes.isEmpty() ? null : followers.get(service.of(nodes.get(0)).resource);
        return follower == null ? Optional.empty() : follower.known(nodes);
    }

    @Override
    public Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed) {
        world.mayPause();
        if (follows && !ahead.isEmpty()) {
            Directory directory = service.of(node);
            @Nullable LineFollower present = followers.get(directory.resource);
            if (present == null) {
                present = new LineFollower(this, directory);
                followers.put(directory.resource, present);
                watch(present);
            }
            return present.await(node, changed);
        }
        NodeWatch watch = NodeWatch.of(this, node, changed);
        watch(watch);
        return watch;
    }

    @Override
    public CompletionStage<Store.NamePage> names(String prefix, String cursor) {
        return ask(() -> service.names(prefix, cursor));
    }

    void unfollow(LineFollower follower) {
        followers.remove(follower.directory.resource, follower);
    }

    @Override
    public Watch watchArrivals(String resource, Node own, int room, Runnable arrived) {
        NodeWatch watch = NodeWatch.arrivals(this, resource, own, room, arrived);
        watch(watch);
        return watch;
    }

    @Override
    void connected() {
        watchAgain();
    }

    @Override
    public void close() {
        hangUp();
    }
}
