package io.belay.simulation;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A candidate for one term, or somebody who asks or observes who leads. */
final class ElectionUse {
    private final User user;
    private final World world;
    private final Thing thing;
    private final int variant;

    ElectionUse(User user, Thing thing, int variant) {
        this.user = user;
        world = user.world;
        this.thing = thing;
        this.variant = variant;
    }

    private LeaderElection election() {
        LockOptions options = thing.variants.get(variant);
        return user.site.client().election(thing.name, options);
    }

    void run() {
        if (user.dice.onceIn(4)) {
            user.site.observe(
                    thing, election(), thing.variants.get(variant).lease().toNanos());
        } else if (user.dice.onceIn(16) && user.site.observed() != null) {
            user.site.observed().close();
        }
        int way = user.dice.below(3);
        Duration wait = Duration.ofNanos(user.dice.magnitude(100_000, 2_000_000_000L));
        String what = switch (way) {
            case 0 -> "candidacy by a try";
            case 1 -> "candidacy, a wait of " + wait.toMillis() + " ms";
            default -> "candidacy";
        };
        long limit = way == 0 ? 0 : way == 1 ? wait.toNanos() : -1;
        Attempt attempt =
                world.ledger.begin(user.site, thing, variant, what, true).within(limit);
        attempt.strict = true;
        attempt.patient = true;
        Optional<Lease> term;
        try {
            term = switch (way) {
                case 0 -> election().tryCampaign();
                case 1 -> election().tryCampaign(wait);
                default -> Optional.of(election().campaign());
            };
        } catch (InterruptedException e) {
            user.interrupted(attempt);
            return;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
            return;
        }
        if (term.isEmpty()) {
            user.notHad(attempt);
        } else {
            lead(attempt, term.get());
        }
    }

    private void lead(Attempt attempt, Lease term) {
        Grip grip = world.ledger.got(attempt, term, Resource.WHOLE);
        List<Observed> observers = world.sites().stream()
                .map(Site::observed)
                .filter(each -> each != null && each.isOf(thing))
                .toList();
        boolean isLong = user.dice.onceIn(observers.isEmpty() ? 8 : 2); // so that everybody is to know of it
        world.scheduler.sleep(isLong ? user.dice.between(0, 3_000_000_000L) : user.dice.magnitude(1_000, 2_000_000));
        if (user.dice.onceIn(3)) {
            ask(grip);
        }
        if (world.ledger.isHeld(grip)) {
            observers.forEach(each -> each.knows(grip));
        }
        boolean wasClosed = attempt.site.closed;
        boolean lost = world.ledger.givesBack(grip);
        ReleaseOutcome outcome = term.release();
        world.ledger.gaveBack(grip, lost, wasClosed, outcome);
    }

    private void ask(Grip grip) {
        boolean before = world.ledger.isHeld(grip);
        Attempt attempt = world.ledger.begin(user.site, thing, variant, "question who leads", false);
        Optional<Leader> leader;
        try {
            leader = election().leader();
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
            return;
        }
        world.ledger.end(attempt, "is told " + leader.map(Leader::token));
        boolean known = before && world.ledger.isHeld(grip) && !user.site.isTroubledSince(attempt.began);
        boolean old = attempt.began - grip.since > 100_000_000; // a store of nodes may hear of it later
        if (known
                && old
                && leader.map(Leader::token)
                        .filter(token -> token == grip.token)
                        .isEmpty()) {
            world.violate(Oracle.LOOKS, user.site + " says that " + leader + " leads, and not " + grip);
        }
    }
}
