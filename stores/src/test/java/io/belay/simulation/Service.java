package io.belay.simulation;

import io.belay.node.Capacity;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.NodeStore;
import io.belay.node.Views;
import io.belay.simulation.Directory.Stored;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ordered nodes that end with a lease, or with the session of their client. It keeps what it knows when it ends; all leases
 * and sessions last for their whole length from then on, as they do where another server takes over.
 */
final class Service extends Backend {
    /** How much too late at most a lease or session is ended, in nanoseconds: it is looked after by a timer. */
    private static final long LATEST = 500_000_000;

    private final TreeMap<String, Directory> directories = new TreeMap<>();
    private final TreeMap<Long, Lifetime> lifetimes = new TreeMap<>();
    /** Claims that may not enter any more. They are few, and their ids do not come again. */
    private final Set<ClaimId> ended = new HashSet<>();

    private long revision;
    /** Whether each claim may have a lease of its own length; else all nodes of a client end with its session. */
    final boolean leases;

    final long sessionNanos;
    /** How long a client waits for an answer. */
    final long timeout;

    /** A lease or a session. */
    private static final class Lifetime {
        final long id;
        final long micros;
        /** Whom to tell when it ends; null for a lease. */
        final @Nullable SessionNodes owner;

        long end;

        Lifetime(long id, long micros, @Nullable SessionNodes owner) {
            this.id = id;
            this.micros = micros;
            this.owner = owner;
        }
    }

    Service(World world, long drift) {
        super(world, drift);
        leases = Use.NEED_LEASES.stream().anyMatch(world.plan::has) || world.chance.onceIn(3);
        sessionNanos = world.chance.of(5_000_000_000L, 8_000_000_000L);
        timeout = world.chance.of(500_000_000L, 2_000_000_000L);
    }

    @Override
    Store open(Site site, long client, Store.Listener listener) {
        return new NodeStore(
                "belay-nodes",
                leases
                        ? new LeaseNodes(this, site.machine, client)
                        : new SessionNodes(this, site.machine, client, listener::reconnected),
                listener);
    }

    Directory directory(String resource) {
        return directories.computeIfAbsent(resource, Directory::new);
    }

    /** The directory in which a node is. */
    Directory of(Node node) {
        return directory(node.key().substring(0, node.key().indexOf('/')));
    }

    long revision() {
        return revision;
    }

    // Leases and sessions.

    long grant(long micros, @Nullable SessionNodes owner) {
        revision++;
        Lifetime made = new Lifetime(revision, micros, owner);
        lifetimes.put(made.id, made);
        made.end = micros() + micros;
        await(made);
        return made.id;
    }

    boolean isThere(long lifetime) {
        return lifetime == 0 || lifetimes.containsKey(lifetime);
    }

    /** Lets it last for its whole length from now on; returns whether it is there. */
    boolean keep(long lifetime) {
        Lifetime kept = lifetimes.get(lifetime);
        world.story.tell(world.scheduler, "store", () -> (kept == null ? "does not know " : "keeps ") + lifetime);
        if (kept != null) {
            kept.end = micros() + kept.micros;
        }
        return kept != null;
    }

    private void await(Lifetime lifetime) {
        long left = Math.max(0, lifetime.end - micros()) * 1000;
        world.scheduler.later(
                left + 1000 + world.chance.between(0, LATEST),
                () -> Hooks.solidly(() -> {
                    if (lifetimes.get(lifetime.id) != lifetime) {
                        return;
                    } else if (isDown() || lifetime.end > micros()) {
                        await(lifetime);
                    } else {
                        world.story.tell(world.scheduler, "store", () -> "ends whatever lives with " + lifetime.id);
                        end(lifetime.id);
                        if (lifetime.owner != null) {
                            lifetime.owner.expired(lifetime.id);
                        }
                    }
                }));
    }

    /** Ends it, and all nodes that end with it. */
    void end(long lifetime) {
        if (lifetimes.remove(lifetime) != null) {
            revision++;
            for (Directory directory : List.copyOf(directories.values())) {
                if (directory.all().stream().anyMatch(stored -> stored.lifetime() == lifetime)) {
                    note(directory);
                    directory.all().removeIf(stored -> stored.lifetime() == lifetime);
                    directory.changed();
                }
            }
        }
    }

    @Override
    void restart() {
        super.restart();
        lifetimes.values().forEach(lifetime -> lifetime.end = micros() + lifetime.micros);
    }

    // Nodes.

    private void note(Directory directory) {
        world.rules.note(directory.resource, resource(directory.resource));
    }

    private void tell(String what, Directory directory) {
        world.story.tell(
                world.scheduler,
                "store",
                () -> what + ": " + directory.resource + Words.of(resource(directory.resource)));
    }

    boolean hasEnded(ClaimId id) {
        return ended.contains(id);
    }

    /** The claim may not enter any more. */
    void bury(ClaimId id) {
        ended.add(id);
    }

    /** Makes a node behind all others. */
    Stored make(Directory directory, String key, ClaimId id, int capacity, Details details, long lifetime) {
        revision++;
        long order = leases ? revision : directory.made;
        String name = leases ? key : key + "-" + directory.made;
        Node node = new Node(name, id, capacity, order, Node.sequence(revision), leases ? revision : 0, details);
        Stored made = new Stored(node, lifetime, details.weight());
        directory.add(made);
        tell("makes " + name + " for " + Words.of(id) + " with " + lifetime, directory);
        world.rules.made(id, directory.resource);
        note(directory);
        directory.changed();
        return made;
    }

    /**
     * Ends a node; returns whether it was there.
     *
     * @param about the claim that the request is about
     * @param asker the client that asks
     */
    boolean remove(Directory directory, String key, ClaimId about, long asker) {
        boolean there = take(directory, key, about, asker);
        if (there) {
            directory.changed();
        }
        return there;
    }

    /** Makes a node behind all others in the place of one, in one step; empty if that one is not there. */
    Optional<Stored> move(Directory directory, Node from, String key, Details details, long lifetime, long asker) {
        return take(directory, from.key(), from.id(), asker)
                ? Optional.of(make(directory, key, from.id(), from.capacity(), details, lifetime))
                : Optional.empty();
    }

    private boolean take(Directory directory, String key, ClaimId about, long asker) {
        int at = directory.find(key);
        if (at < 0) {
            return false;
        }
        revision++;
        note(directory);
        Node gone = directory.all().remove(at).node();
        tell("ends " + key, directory);
        world.rules.taken(gone, directory.resource, about, asker);
        return true;
    }

    /** Puts a node in the place of one. */
    void put(Directory directory, Stored before, Stored now) {
        directory.all().set(directory.all().indexOf(before), now);
        directory.changed();
    }

    /** Changes what a node says unless it has changed. */
    Optional<Node> write(Node node, Details details) {
        return change(node, details, Stored::lifetime);
    }

    /** Does the same, and attaches the node to another lease, if that is there. */
    Optional<Node> fix(Node node, Details details, long lease) {
        return isThere(lease) ? change(node, details, before -> lease) : Optional.empty();
    }

    private Optional<Node> change(Node node, Details details, ToLongFunction<Stored> lifetime) {
        Directory directory = of(node);
        Optional<Stored> found =
                directory.same(node).filter(stored -> stored.node().version() == node.version());
        return found.map(stored -> {
            revision++;
            Node now = stored.node().with(leases ? revision : node.version() + 1, details);
            put(directory, stored, new Stored(now, lifetime.applyAsLong(stored), stored.weight()));
            return now;
        });
    }

    /** Sets a capacity unless it has changed. */
    boolean resize(String resource, Capacity read, Capacity next) {
        Directory directory = directory(resource);
        boolean same = directory.set.version() == read.version();
        if (same) {
            revision++;
            boolean forgets = next.equals(Capacity.NONE);
            directory.set =
                    forgets ? next : Capacity.parse(next.text(), revision).orElseThrow();
            tell("sets " + next.text(), directory);
            directory.changed();
        }
        return same;
    }

    /** A page of a few names of which there is something. */
    Store.NamePage names(String prefix, String cursor) {
        List<String> names = directories.tailMap(cursor, false).values().stream()
                .filter(directory ->
                        directory.set.size() > 0 || !directory.all().isEmpty())
                .map(directory -> directory.resource)
                .filter(name -> name.startsWith(prefix))
                .limit(3)
                .toList();
        return Store.NamePage.of(names, names.isEmpty() ? Optional.empty() : Optional.of(names.get(names.size() - 1)));
    }

    // How it stands.

    /** A leave is in vain where the client takes the lease or session for ended, which a restart may have made longer. */
    @Override
    long outlives() {
        return LATEST + (leases ? Thing.LONGEST_LEASE : sessionNanos);
    }

    @Override
    Resource resource(String name) {
        Directory directory = directories.get(name);
        if (directory == null) {
            return Resource.UNUSED;
        }
        NodeQueue line = directory.line();
        Map<String, Long> ends = new HashMap<>();
        for (Stored stored : directory.all()) {
            Lifetime lifetime = lifetimes.get(stored.lifetime());
            ends.put(stored.node().key(), lifetime == null ? Long.MAX_VALUE / 4096 : lifetime.end);
        }
        return Views.resource(line, node -> ends.get(node.key()));
    }

    @Override
    void evict(String name) {
        Directory directory = directory(name);
        for (Claim holder : resource(name).holders()) {
            for (Stored stored : List.copyOf(directory.all())) {
                if (stored.node().id().equals(holder.id())) {
                    remove(
                            directory,
                            stored.node().key(),
                            holder.id(),
                            holder.id().client());
                }
            }
        }
    }

    /** Whatever is there: what has run out is taken away by the service itself. */
    @Override
    List<Claim> leftovers() {
        List<Claim> left = new ArrayList<>();
        directories.keySet().forEach(name -> left.addAll(resource(name).claims()));
        return left;
    }
}
