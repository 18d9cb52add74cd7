package io.belay.simulation;

import io.belay.node.Node;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Judges each step of the store. */
final class StoreRules {
    private final World world;
    /** Who left before their enter was answered, and until when by the store's clock that is remembered. */
    private final Map<ClaimId, Long> gone = new HashMap<>();
    /** Of whom a client was told that they have left. */
    private final Set<ClaimId> left = new HashSet<>();

    /** Under which sequence at most a client has asked to end, or to give up, what a claim is granted. */
    private final Map<ClaimId, Long> given = new HashMap<>();

    /** Since when a client wants a claim to leave. */
    private final Map<ClaimId, Long> unwanted = new HashMap<>();

    /** Claims that wait for as long as it takes: from when a client first asks for them until it wants to leave. */
    private final Set<ClaimId> wanted = new HashSet<>();

    StoreRules(World world) {
        this.world = world;
    }

    void judge(Resource before, Resource after, Request request, long now) {
        if (request instanceof Request.Leave leave && leave.unclear()) {
            gone.put(leave.id(), now + Resource.MEMORY);
        }
        keepsGrants(before, after, request, now);
        grantsBriefly(before, after, request, now);
        for (Claim claim : after.claims()) {
            if (now < gone.getOrDefault(claim.id(), now)) {
                violate(claim, request, "is let in again after it left");
            }
        }
        note(request.resource(), before);
    }

    /**
     * Judges a change that a client makes of a whole resource: which request it makes is not known here, but nobody ends what
     * another client has, or what nobody has asked to end. After a pause one may give back what it had before: an action that failed,
     * and was to have the lock stay taken.
     */
    void judge(String name, Resource before, Resource after, long client, long now) {
        for (Claim claim : before.holders()) {
            boolean mayEnd = claim.deadline() <= now
                    || (world.isOneClient(claim.id().client(), client)
                            && claim.sequence() <= given.getOrDefault(claim.id(), Long.MIN_VALUE))
                    || world.discounts.has(claim.id(), claim.sequence())
                    || claim.id().client() == ClaimId.NOBODY;
            if (!mayEnd && after.holders().stream().noneMatch(c -> c.id().equals(claim.id()))) {
                world.violate(
                        Oracle.STORE,
                        Words.of(claim.id()) + " is granted no longer on " + name + " by a change of client " + client);
            }
        }
        note(name, before);
    }

    /** Returns whether a site's client wants a claim to leave, and may have been kept from saying so. */
    boolean isLeftInVain(ClaimId id, Site site) {
        return unwanted.containsKey(id) && site.isTroubledSince(unwanted.get(id));
    }

    /** A client is told that a claim has left. */
    void left(ClaimId id) {
        left.add(id);
    }

    /** Judges that a node is made for nobody who has left. */
    void made(ClaimId id, String name) {
        if (left.contains(id)) {
            world.violate(Oracle.STORE, Words.of(id) + " has a node made on " + name + " after it left");
        }
    }

    /** Judges that nobody but its owner, or whoever was to, ends a node, and by a request about its claim. */
    void taken(Node node, String name, ClaimId about, long asker) {
        boolean may = world.isOneClient(node.id().client(), asker)
                || node.id().client() == ClaimId.NOBODY
                || world.discounts.has(node.id(), node.sequence());
        if (!may || !node.id().equals(about)) {
            world.violate(
                    Oracle.STORE,
                    Words.of(node.id()) + " is ended on " + name + " by client " + asker + ", which asks about "
                            + Words.of(about));
        }
    }

    /** Notes what a client asks for. */
    void asks(Request request) {
        if (request instanceof Request.Leave leave) {
            wanted.remove(leave.id());
            given.put(leave.id(), Long.MAX_VALUE);
            unwanted.putIfAbsent(leave.id(), world.scheduler.now());
        } else if (request instanceof Request.Yield yielded) {
            given.merge(yielded.id(), yielded.sequence(), Math::max);
        } else if (request instanceof Request.Enter enter
                && enter.spec().capacity() == Resource.WHOLE // a lower capacity may shut it out
                && enter.id().client() != ClaimId.NOBODY
                && !enter.spec().ifFree()) {
            wanted.add(enter.id());
        }
    }

    /** Judges that a client which ends a claim's node by itself, and not in place of another one, was to. */
    void ends(ClaimId id, String name) {
        // Of one that was ended by force, a late copy of the enter may have made another node, which nobody wants.
        if (wanted.contains(id) && !world.discounts.hasAny(id)) {
            world.violate(Oracle.STORE, Words.of(id) + " loses its place on " + name + " though nobody has left it");
        }
    }

    /** Notes who had something there. */
    void note(String name, Resource before) {
        Thing thing = world.thing(name);
        if (thing != null) {
            for (Claim claim : before.claims()) {
                thing.claimed(world.scheduler.now(), claim.weight() == Resource.WHOLE);
            }
        }
    }

    private void grantsBriefly(Resource before, Resource after, Request request, long now) {
        for (Claim claim : after.holders()) {
            boolean fresh = before.holders().stream().noneMatch(c -> isSame(c, claim));
            if (fresh && claim.pending() && claim.deadline() - now > Resource.PICK_UP) {
                violate(claim, request, "is granted for longer than it takes to pick a grant up");
            }
        }
    }

    /** Another server takes over, which need not know who left. */
    void forgetWhoLeft() {
        gone.clear();
    }

    /** What is granted stays granted until its owner ends that, or gives it up, or time or force ends it. */
    private void keepsGrants(Resource before, Resource after, Request request, long now) {
        boolean gives = request instanceof Request.Leave || request instanceof Request.Yield;
        for (Claim claim : before.holders()) {
            boolean mayEnd = claim.deadline() <= now
                    || claim.id().client() == ClaimId.NOBODY
                    || request instanceof Request.Evict
                    || (gives
                            && request instanceof Request.OfClaim about
                            && about.id().equals(claim.id()));
            if (!mayEnd && after.holders().stream().noneMatch(c -> c.id().equals(claim.id()))) {
                violate(claim, request, "is granted no longer");
            }
        }
    }

    private static boolean isSame(Claim one, Claim other) {
        return one.id().equals(other.id()) && one.sequence() == other.sequence();
    }

    private void violate(Claim claim, Request request, String what) {
        world.violate(
                Oracle.STORE,
                Words.of(claim.id()) + " " + what + " on " + request.resource() + " by a " + Words.of(request));
    }
}
