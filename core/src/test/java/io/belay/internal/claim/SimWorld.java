package io.belay.internal.claim;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One state of everything: the store, the clients, what is in flight, and the clock. It is changed only while it is
 * being made from the one before it.
 */
final class SimWorld {
    /** A tick in the store's microseconds. */
    static final long MICROS = 1_000_000;

    /** A tick in a client's nanoseconds. */
    static final long NANOS = 1_000_000_000;

    /** The only resource. */
    static final String NAME = "r";

    int tick;
    int duplicates;
    int losses;
    int crashes;
    int pauses;
    int resizes;
    int failovers;
    int server;
    /** For how many ticks nobody got anywhere, and which claim stood first then. */
    int standstill;

    @Nullable
    ClaimId first;

    /** The highest sequences under which anybody, and under which a claim of the whole, was believed to be held. */
    long highest;

    long highestWhole;
    /** The largest capacity so far: a smaller one revokes nobody. */
    int room;

    /** Until when the store keeps a claim that was left, as a client was told. */
    long kept;

    Resource store;
    SimClient[] clients;
    /** A bag: the order means nothing. */
    List<SimMessage> net;

    SimWorld(Resource store, SimClient[] clients, List<SimMessage> net) {
        this.store = store;
        this.clients = clients;
        this.net = net;
    }

    static SimWorld start(SimSetup setup) {
        SimClient[] clients = setup.roles().stream().map(SimClient::of).toArray(SimClient[]::new);
        SimWorld world = new SimWorld(Resource.UNUSED, clients, List.of());
        world.duplicates = setup.duplicates();
        world.losses = setup.losses();
        world.crashes = setup.crashes();
        world.pauses = setup.pauses();
        world.resizes = setup.resizes();
        world.failovers = setup.failovers();
        world.room = setup.capacity();
        return world;
    }

    SimWorld copy() {
        SimWorld next = new SimWorld(store, clients.clone(), new ArrayList<>(net));
        next.tick = tick;
        next.duplicates = duplicates;
        next.losses = losses;
        next.crashes = crashes;
        next.pauses = pauses;
        next.resizes = resizes;
        next.failovers = failovers;
        next.server = server;
        next.standstill = standstill;
        next.first = first;
        next.highest = highest;
        next.highestWhole = highestWhole;
        next.room = room;
        next.kept = kept;
        return next;
    }

    long nanos() {
        return tick * NANOS;
    }

    long micros() {
        return (tick + (long) server * SimSetup.SHIFT) * MICROS;
    }

    /**
     * Forgets what no decision depends on, so that states that behave alike are equal: when claims entered, until when
     * an empty resource is kept, tombstones of ids of which no enter is in flight (their owners send none any more),
     * and answers that nobody waits for.
     */
    void simplify() {
        net.removeIf(m -> m instanceof SimMessage.Answered a && isUnwanted(a));
        for (int i = 0; i < clients.length; i++) {
            SimClient.SimClaim claim = clients[i].current();
            if (claim != null
                    && claim.request() > 0
                    && net.stream().noneMatch(m -> isAbout(m, claim.belief().id()))) {
                clients[i] = clients[i].with(claim.countingAnew());
            }
        }
        List<Resource.Tombstone> stones = store.tombstones().stream()
                .filter(t -> net.stream()
                        .anyMatch(m -> m instanceof SimMessage.Asked a
                                && a.request() instanceof Request.Enter e
                                && e.id().equals(t.id())))
                .map(t -> new Resource.Tombstone(t.id(), Long.MAX_VALUE))
                .sorted((a, b) -> a.id().toString().compareTo(b.id().toString()))
                .toList();
        List<Claim> claims = store.claims().stream().map(SimWorld::ageless).toList();
        store = new Resource(store.last(), store.capacity(), store.resized(), claims, store.granted(), stones, 0);
    }

    private static boolean isAbout(SimMessage message, ClaimId id) {
        return message instanceof SimMessage.Asked a
                        && a.request() instanceof Request.OfClaim about
                        && about.id().equals(id)
                || message instanceof SimMessage.Answered b && b.id().equals(id);
    }

    private boolean isUnwanted(SimMessage.Answered a) {
        SimClient client = clients[a.client()];
        if (a.answer() == null) {
            return !client.isLeaving(a.id());
        }
        return !client.isInterestedIn(a.id())
                && !client.isKeeping(
                        a.id(), a.number() == 0 ? Long.MAX_VALUE : a.answer().sequence())
                && !client.isAnew(a.id(), a.answer().sequence());
    }

    private static Claim ageless(Claim c) {
        return c.withEntered(0).withLocalWaiters(0);
    }
}
