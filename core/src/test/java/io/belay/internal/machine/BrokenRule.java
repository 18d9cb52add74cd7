package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocol with one rule taken out, each around the production code, which knows nothing of it. */
public enum BrokenRule implements Mutant {
    /** Requests name a claim by its id alone. */
    SEQUENCE_NEED_NOT_MATCH {
        @Override
        public Request request(Resource before, Request request) {
            Claim claim = request instanceof Request.OfClaim about ? find(before, about.id()) : null;
            if (claim == null) {
                return request;
            } else if (request instanceof Request.Yield y) {
                return Request.Yield.of(y.resource(), y.id(), claim.sequence(), y.lease(), 0);
            } else if (request instanceof Request.Renew r) {
                return Request.Renew.of(r.resource(), r.id(), claim.sequence(), r.lease(), 0, r.fresh());
            } else if (request instanceof Request.Reweight r) {
                return Request.Reweight.of(r.resource(), r.id(), claim.sequence(), claim.reweights(), r.weight());
            }
            return request;
        }
    },

    /** Of two requests for another end the one that comes last counts. */
    LAST_FIX_COUNTS {
        @Override
        public Request request(Resource before, Request request) {
            Claim claim = request instanceof Request.Fix fix ? find(before, fix.id()) : null;
            return claim != null && request instanceof Request.Fix f
                    ? Request.Fix.of(
                            f.resource(), f.id(), f.sequence(), Math.max(f.reweights(), claim.reweights()), f.lease())
                    : request;
        }
    },

    /** An earlier end is believed when the store has answered, not before. */
    EARLIER_END_IS_BELIEVED_ONCE_ANSWERED {
        @Override
        public @Nullable Known believed(@Nullable Known before, @Nullable Known after) {
            return before;
        }
    },

    /** An answer that knows of fewer changes than were asked for moves the end. */
    OLDER_ANSWER_MOVES_THE_END {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            stay.changesKnown = Math.min(stay.changesKnown, answer.reweights());
            return sent;
        }
    },

    /** A yield with nobody waiting changes nothing, and its owner takes the old sequence for an answer. */
    YIELD_KEEPS_SEQUENCE_IF_NOBODY_WAITS {
        private static final String NO_CHANGE = "nobody waits";

        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            if (!(request instanceof Request.Yield y)
                    || before.claims().size() > 1
                    || step.next().claims().size() != 1) {
                return step;
            }
            Claim claim = before.claims().get(0);
            if (!claim.id().equals(y.id()) || claim.sequence() != y.sequence()) {
                return step;
            }
            Answer a = step.answer();
            Claim same = moved(step.next().claims().get(0), claim.sequence());
            Answer answer = a.withClaim(claim.sequence(), a.deadline()).withRefusal(NO_CHANGE);
            return Step.of(with(before, List.of(same), 1), answer, List.of(), List.of(), List.of());
        }

        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            boolean counts = stay.phase == Phase.YIELDING && NO_CHANGE.equals(answer.refusal());
            stay.phase = counts ? Phase.WAITING : stay.phase;
            return sent;
        }
    },

    /** A leave leaves nothing behind. */
    NO_TOMBSTONE {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            Resource r = step.next();
            return r.tombstones().isEmpty() ? step : with(step, without(r), step.granted());
        }

        private static Resource without(Resource r) {
            return Resource.of(r.last(), r.capacity())
                    .withResized(r.resized())
                    .withClaims(r.claims(), r.granted())
                    .withKeepUntil(r.keepUntil());
        }
    },

    /** Whichever of two messages about one sequence comes last is believed. */
    LAST_MESSAGE_WINS {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            boolean overwrites = answer.state() == Answer.State.WAITING
                    && (stay.phase == Phase.HELD && answer.sequence() == stay.sequence || stay.phase == Phase.ENTERING);
            stay.phase = overwrites ? Phase.WAITING : stay.phase;
            return sent;
        }
    },

    /** The lease counts from when an answer is received. */
    DEADLINE_FROM_RECEIPT_OF_ANSWER {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            return new Sent(sent.number(), now, sent.wallOffset(), sent.leave(), sent.reweight());
        }
    },

    /** The lease counts from when a push is received. */
    DEADLINE_FROM_RECEIPT_OF_PUSH {
        @Override
        public void beforePush(Stay stay, Push push, long now) {
            Known k = stay.known;
            if (k != null) {
                stay.known = new Known(now, k.wallOffset(), push.time(), k.server(), k.until());
            }
        }
    },

    /** A grant that its owner did not ask for has the full lease at once. */
    NO_PICK_UP {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            if (step.granted().isEmpty()) {
                return step;
            }
            List<Claim> granted = new ArrayList<>();
            List<Claim> all = new ArrayList<>(step.next().claims());
            for (Claim claim : step.granted()) {
                long lease = claim.fixedLease() > 0 ? claim.fixedLease() : 3 * 1_000_000L;
                Claim longer = until(claim, now + lease);
                all.set(all.indexOf(claim), longer);
                granted.add(longer);
            }
            return with(step, with(step.next(), all, step.next().granted()), granted);
        }
    },

    /** A weight may go up if what stands before the claim leaves room, whoever is granted behind it. */
    UPGRADE_LOOKS_AHEAD_ONLY {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            if (!(request instanceof Request.Reweight r) || step.answer().refusal() == null) {
                return step;
            }
            List<Claim> claims = new ArrayList<>(step.next().claims());
            long room = step.next().capacity();
            for (int i = 0; i < claims.size(); i++) {
                Claim c = claims.get(i);
                if (c.id().equals(r.id()) && r.weight() <= room) {
                    claims.set(i, reweighted(c, r.weight()));
                    Resource next = with(
                            step.next(), claims, fitting(claims, step.next().capacity()));
                    // Asked anew, the store tells the state as it is now.
                    Request ask = Request.Reweight.of(r.resource(), r.id(), r.sequence(), -1, 1);
                    return Step.of(next, ask.applyTo(next, now).answer(), List.of(), List.of(), List.of());
                }
                room -= c.weight();
            }
            return step;
        }
    },

    /** A claim is granted if it fits beside the last granted one, whatever the others before it hold. */
    LAST_HOLDER_ALONE_COUNTS {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            Resource r = step.next();
            if (r.granted() == 0 || r.granted() == r.claims().size()) {
                return step;
            }
            Claim next = r.claims().get(r.granted());
            if ((long) r.claims().get(r.granted() - 1).weight() + next.weight() > r.capacity()) {
                return step;
            }
            List<Claim> granted = new ArrayList<>(step.granted());
            granted.add(next);
            return with(step, with(r, r.claims(), r.granted() + 1), granted);
        }
    },

    /** Whoever does not fit a smaller capacity is no longer granted. */
    SMALLER_CAPACITY_REVOKES {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            if (!(request instanceof Request.Resize)) {
                return step;
            }
            List<Claim> claims = step.next().claims();
            int granted =
                    Math.min(step.next().granted(), fitting(claims, step.next().capacity()));
            return with(step, with(step.next(), claims, granted), step.granted());
        }
    },

    /** Nobody tells who keeps a resource that another wants it: it finds out when it renews. */
    KEEPER_IS_NOT_TOLD {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            return Step.of(step.next(), step.answer(), step.granted(), List.of(), step.ended());
        }
    },

    /** Nobody is told that a claim was granted beside others. */
    ROOM_IS_NOT_TOLD {
        @Override
        public Step step(Resource before, Request request, long now, Step step) {
            boolean beside = step.next().granted() > step.granted().size();
            return Step.of(
                    step.next(), step.answer(), beside ? List.of() : step.granted(), step.wanted(), step.ended());
        }
    },

    /** A push of a server that has not answered for the claim is taken at its word. */
    PUSH_OF_ANY_SERVER_COUNTS {
        @Override
        public void beforePush(Stay stay, Push push, long now) {
            Known k = stay.known;
            if (k != null) {
                stay.known = new Known(k.sent(), k.wallOffset(), k.time(), push.server(), k.until());
            }
        }
    };

    private static @Nullable Claim find(Resource resource, ClaimId id) {
        return resource.claims().stream()
                .filter(c -> c.id().equals(id))
                .findAny()
                .orElse(null);
    }

    private static int fitting(List<Claim> claims, long capacity) {
        int count = 0;
        long room = capacity;
        while (count < claims.size() && claims.get(count).weight() <= room) {
            room -= claims.get(count++).weight();
        }
        return count;
    }

    private static Step with(Step s, Resource next, List<Claim> granted) {
        return Step.of(next, s.answer(), granted, s.wanted(), s.ended());
    }

    private static Resource with(Resource r, List<Claim> claims, int granted) {
        return Resource.of(r.last(), r.capacity())
                .withResized(r.resized())
                .withClaims(claims, granted)
                .withTombstones(r.tombstones())
                .withKeepUntil(r.keepUntil());
    }

    private static Claim moved(Claim c, long sequence) {
        return claim(c, c.weight(), sequence, c.deadline(), c.reweights());
    }

    private static Claim until(Claim c, long deadline) {
        return claim(c, c.weight(), c.sequence(), deadline, c.reweights());
    }

    private static Claim reweighted(Claim c, int weight) {
        return claim(c, weight, c.sequence(), c.deadline(), c.reweights() + 1);
    }

    private static Claim claim(Claim c, int weight, long sequence, long deadline, int reweights) {
        return Claim.of(c.id(), weight, sequence, deadline, c.owner())
                .withFixedLease(c.fixedLease())
                .withPending(c.pending())
                .withReweights(reweights)
                .withEntered(c.entered())
                .withSticky(c.sticky());
    }
}
