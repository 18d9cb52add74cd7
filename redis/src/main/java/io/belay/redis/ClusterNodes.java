package io.belay.redis;

import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The masters of a cluster, a connection to each, and the slots that each has, kept up with what changes there. */
final class ClusterNodes implements ServerConnection.Owner {
    private static final Log LOG = Log.of(LogName.STORE);
    /** The pause before the nodes are asked again which master has which slot, while that is not settled. */
    private static final long PAUSE_MILLIS = 100;

    /** The longest pause while nobody answers. */
    private static final long LONGEST_PAUSE_MILLIS = 500;

    /** The time for which a node without slots stays connected after a redirect has last named it so, in nanoseconds. */
    private static final long AWAITED = TimeUnit.SECONDS.toNanos(10);

    /** The owner of the nodes; called by Lettuce's threads, must not block. */
    interface Owner {
        void pushed(Link from, byte[] message);

        void silenced(Link link, byte[] channel);

        /**
         * Tells that slots may have other owners.
         *
         * @param again whether a connection was lost and is there again
         */
        void changed(boolean again);
    }

    private final Connector connector;
    private final String channel;
    private final Owner owner;
    private final Map<Address, ServerConnection> nodes = new ConcurrentHashMap<>();
    /** When a redirect last named each node as the one that a slot is on its way to: it may have no other one yet. */
    private final Map<Address, Long> awaited = new ConcurrentHashMap<>();

    private final Errand asking = new Errand("Asking for the slots of the cluster");
    private volatile boolean doubtful;
    /** The number of times in a row that nobody has answered; written in the steps of the errand alone. */
    private volatile int inVain;

    private volatile ClusterSlots slots = ClusterSlots.none();
    private volatile boolean closed;

    ClusterNodes(Connector connector, String channel, Owner owner) {
        this.connector = connector;
        this.channel = channel;
        this.owner = owner;
    }

    ClusterSlots slots() {
        return slots;
    }

    /** Returns the connection to a slot's master; null if there is none now. */
    @Nullable
    Link link(int slot) {
        Address master = slots.owner(slot);
        return master == null ? null : connected(master);
    }

    private @Nullable Link connected(Address address) {
        ServerConnection node = nodes.get(address);
        return node == null ? null : node.link();
    }

    /** Returns the connection to a node, and begins to make one if the node is new; null if there is none now. */
    @Nullable
    Link link(Address address) {
        ServerConnection known = nodes.get(address);
        return known != null ? known.link() : open(address).link();
    }

    /** Does the same with a node to which a slot is on its way. */
    @Nullable
    Link linkAhead(Address address) {
        awaited.put(address, System.nanoTime());
        return link(address);
    }

    /** Returns the connection to a master, which may be in the making. */
    CompletableFuture<Link> reach(Address master) {
        return reach(master, System.nanoTime() + connector.settings().timeout().toNanos());
    }

    private CompletableFuture<Link> reach(Address master, long endNanos) {
        ServerConnection node = nodes.get(master);
        Link link = node == null ? null : node.link();
        if (link != null) {
            return CompletableFuture.completedFuture(link);
        } else if (closed || System.nanoTime() - endNanos > 0) {
            return CompletableFuture.failedFuture(node == null ? failures().disconnected() : node.down());
        }
        return pause().thenCompose(over -> reach(master, endNanos));
    }

    static CompletableFuture<@Nullable Void> pause() {
        return new CompletableFuture<@Nullable Void>().completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    Failures failures() {
        return connector.failures();
    }

    /** Returns why there is no connection to a slot's master, and asks anew which master has which slot. */
    StoreException unreachable(int slot) {
        refresh();
        Address master = slots.owner(slot);
        ServerConnection node = master == null ? null : nodes.get(master);
        return node == null
                ? connector.failures().unreachable("has no master for the slot " + slot + " now", null)
                : node.down();
    }

    /** Connects for the first time: at least one master must be there. */
    void connect() {
        slots = firstSlots(connector);
        Map<ServerConnection, CompletableFuture<Void>> made = new LinkedHashMap<>();
        slots.masters().forEach(address -> {
            ServerConnection node = node(address);
            nodes.put(address, node);
            made.put(node, node.connect());
        });
        Map<ServerConnection, StoreException> failures = new LinkedHashMap<>();
        made.forEach((node, connected) -> {
            try {
                connected.join();
            } catch (CompletionException e) {
                failures.put(node, node.explain(e));
            }
        });
        if (failures.size() == made.size()) {
            throw failures.values().iterator().next(); // and nothing is connected to any more
        }
        failures.forEach((node, failure) -> {
            LOG.warn("A part of the cluster is not there: {}", failure.getMessage());
            node.connectLater();
        });
    }

    /** Asks the nodes that the URL names, one after the other, until they have said which master has which slot. */
    static ClusterSlots firstSlots(Connector connector) {
        ClusterSlots found = ClusterSlots.none();
        StoreException last = connector.failures().disconnected();
        for (Address seed : connector.settings().addresses()) {
            try {
                ClusterSlots slots = connector.at(seed, 0).slots().join();
                found = found.masters().isEmpty() ? slots : found.completedBy(slots);
                if (found.isWhole()) {
                    return found;
                }
                last = connector
                        .failures()
                        .unreachable(
                                slots.assigned() == 0
                                        ? "has no masters yet: has the cluster been created?"
                                        : "does not know where its masters are: where it is to tell host names, each needs"
                                                + " its cluster-announce-hostname",
                                null);
            } catch (CompletionException e) {
                last = connector
                        .at(seed, 0)
                        .failures()
                        .of(e, connector.settings().firstTimeout());
            }
        }
        if (found.masters().isEmpty()) {
            throw last;
        }
        return found;
    }

    private ServerConnection open(Address address) {
        ServerConnection fresh = node(address);
        ServerConnection known = nodes.putIfAbsent(address, fresh);
        if (known != null) {
            return known;
        }
        try {
            fresh.connectLater();
            return fresh;
        } catch (Throwable e) { // as for want of threads: whoever needs it next opens it
            nodes.remove(address, fresh);
            throw e;
        }
    }

    private ServerConnection node(Address address) {
        // What a new connection tries out, it tries out in a slot of that node.
        return new ServerConnection(
                connector.at(address, 0),
                () -> CompletableFuture.completedFuture(connector.at(address, slots.anyOf(address))),
                channel,
                this);
    }

    /** Notes where a slot is, as a node has said. Returns the connection to there; null if there is none now. */
    @Nullable
    Link moved(int slot, Address to) {
        slots = slots.with(slot, to);
        refresh();
        return link(to);
    }

    /** Asks anew which master has which slot, after a failure that may mean that the cluster has changed. */
    void doubt(Throwable failure) {
        if (failure instanceof StoreException known && known.isTemporary()) {
            refresh();
        }
    }

    /** Asks which master has which slot, in the background: now, or a pause after the last time. */
    void refresh() {
        doubtful = true;
        if (!closed) {
            asking.begin(() -> {
                doubtful = false;
                anybodysSlots(candidates()).whenComplete(asking.step((known, error) -> told(known)));
            });
        }
    }

    private void told(@Nullable ClusterSlots known) {
        inVain = known == null ? inVain + 1 : 0;
        connector.later(() -> refreshed(known != null), pauseMillis(inVain)); // each failure meanwhile asks for it
        if (known != null) {
            use(known);
        }
    }

    /** Longer each time, and by chance, while nobody answers: all clients ask, by new connections, nodes that may be just starting. */
    private static long pauseMillis(int inVain) {
        long longest = Math.min(LONGEST_PAUSE_MILLIS, PAUSE_MILLIS << Math.min(inVain, 10));
        return inVain == 0 ? PAUSE_MILLIS : ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
    }

    private void refreshed(boolean known) {
        asking.end();
        if (!known || doubtful) {
            refresh();
        }
    }

    /** Asks now which master has which slot. */
    CompletableFuture<ClusterSlots> askedAnew() {
        return anybodysSlots(candidates())
                .thenApply(known -> {
                    use(known);
                    return slots;
                })
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(
                        failures().of(error, connector.settings().timeout())));
    }

    /** Returns those that are connected to, and then those that the URL names, which may all be replicas by now. */
    private List<Address> candidates() {
        List<Address> shuffled = new ArrayList<>(nodes.keySet());
        Collections.shuffle(shuffled); // one that is cut off from the others may be wrong for long
        shuffled.removeIf(address -> connected(address) == null);
        Set<Address> all = new LinkedHashSet<>(shuffled);
        all.addAll(connector.settings().addresses());
        return List.copyOf(all);
    }

    private CompletableFuture<ClusterSlots> anybodysSlots(List<Address> candidates) {
        Address first = candidates.get(0);
        Link link = connected(first);
        CompletableFuture<ClusterSlots> reply = (link != null
                        ? link.slots()
                        : connector.at(first, 0).slots())
                .orTimeout(connector.settings().timeout().toMillis(), TimeUnit.MILLISECONDS);
        List<Address> others = candidates.subList(1, candidates.size());
        return others.isEmpty()
                ? reply
                : reply.handle((known, error) ->
                                error != null || known.masters().isEmpty()
                                        ? anybodysSlots(others)
                                        : completed(known, others))
                        .thenCompose(found -> found);
    }

    /** Has others tell where those masters are of which the first does not know that; not one that may be away. */
    private CompletableFuture<ClusterSlots> completed(ClusterSlots known, List<Address> others) {
        return known.isWhole() || connected(others.get(0)) == null
                ? CompletableFuture.completedFuture(known)
                : anybodysSlots(others).handle((more, error) -> more == null ? known : known.completedBy(more));
    }

    private void use(ClusterSlots known) {
        if (known.masters().isEmpty()) {
            return;
        }
        // Who does not know where a master is does not say that it has gone.
        ClusterSlots whole = known.completedBy(slots);
        Set<Address> masters = whole.masters();
        slots = whole;
        masters.forEach(this::link);
        long now = System.nanoTime();
        awaited.entrySet().removeIf(node -> masters.contains(node.getKey()) || now - node.getValue() >= AWAITED);
        nodes.keySet().removeIf(address -> {
            boolean gone = !masters.contains(address) && !awaited.containsKey(address);
            ServerConnection node = nodes.get(address);
            if (gone && node != null) {
                LOG.info("Redis at {} has no slots any more", address);
                node.close();
            }
            return gone;
        });
        owner.changed(false);
    }

    @Override
    public void pushed(Link from, byte[] message) {
        owner.pushed(from, message);
    }

    @Override
    public void silenced(Link link, byte[] name) {
        owner.silenced(link, name);
    }

    @Override
    public void failed(ServerConnection node) {
        refresh();
    }

    @Override
    public void connectedAgain(ServerConnection node) {
        owner.changed(true);
    }

    void stop() {
        closed = true;
        nodes.values().forEach(ServerConnection::stop);
    }
}
