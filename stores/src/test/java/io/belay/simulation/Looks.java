package io.belay.simulation;

import io.belay.Belay;
import io.belay.Inspection;
import io.belay.LockMode;
import io.belay.LockStatistics;
import io.belay.LockStatistics.WaitEnd;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.StoreHealth;
import io.belay.spi.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at what clients say of themselves, and the judge of that. */
final class Looks {
    private static final long MARGIN = 20_000_000;

    /** After how long everybody knows what it has. */
    private static final long AWARE = 100_000_000;

    static final String LOOK = "look";

    private final World world;

    Looks(World world) {
        this.world = world;
    }

    /** Looks once, at a client of which somebody may have something. */
    void look(User user, @Nullable Grip grip) {
        Site site = user.site;
        if (grip != null && (grip.attempt.site != site || grip.changing || grip.handedOn)) {
            return;
        }
        switch (user.dice.below(5)) {
            case 0 -> holds(site, grip);
            case 1 -> waits(site);
            case 2 -> statistics(site, user.dice.of(world.things));
            case 3 -> health(user, site);
            default -> inspect(user, site, grip);
        }
    }

    private void judge(boolean so, Site site, String what) {
        if (!so && !site.closing) {
            world.violate(Oracle.LOOKS, site + " says " + what);
        }
    }

    private boolean isHeld(@Nullable Grip grip) {
        return grip != null && world.ledger.isHeld(grip);
    }

    private void holds(Site site, @Nullable Grip grip) {
        boolean before = isHeld(grip);
        List<Grip> over = world.ledger.releasedBy(site);
        List<OwnHold> holds = site.client().admin().holds();
        if (grip != null && before && isHeld(grip)) {
            long permits = grip.weight == Resource.WHOLE ? 1 : grip.weight;
            boolean listed = holds.stream().anyMatch(hold -> isOf(hold, grip) && hold.permits() == permits);
            judge(listed, site, "that it holds " + holds + ", and not what " + grip + " holds");
        }
        for (Grip former : over) {
            boolean again = world.ledger.isKnown(site, former);
            judge(
                    again || holds.stream().noneMatch(hold -> hold.mode() != LockMode.SHARED && isOf(hold, former)),
                    site,
                    "that it holds " + former.attempt.thing + ", which " + former + " gave back");
        }
        for (OwnHold hold : holds) {
            judge(!hold.held().isNegative() && !hold.remaining().isNegative(), site, "of " + hold);
        }
    }

    private static boolean isOf(OwnHold hold, Grip grip) {
        return hold.token() == grip.token && hold.name().equals(grip.attempt.thing.name);
    }

    private void waits(Site site) {
        List<Attempt> before = waiting(site);
        long now = world.scheduler.now();
        List<OwnWait> waits = site.client().admin().waits();
        for (Thing thing : world.things) {
            long listed = waits.stream()
                    .filter(wait -> wait.name().equals(thing.name))
                    .count();
            List<Attempt> pending =
                    before.stream().filter(attempt -> attempt.thing == thing).toList();
            if (listed < pending.size()) { // some may have it already, and not know
                world.scheduler.later(AWARE, () -> listedAll(site, listed, pending, now));
            }
        }
        for (OwnWait wait : waits) {
            judge(!wait.waited().isNegative(), site, "of " + wait);
        }
    }

    private void listedAll(Site site, long listed, List<Attempt> pending, long since) {
        long still = pending.stream().filter(attempt -> !attempt.done).count();
        judge(listed >= still || site.isTroubledSince(since - MARGIN), site, "that " + listed + " wait, of " + pending);
    }

    /** Those who have waited for so long that they stand in a queue, and who do nothing else. */
    private List<Attempt> waiting(Site site) {
        long since = world.scheduler.now() - MARGIN;
        return world.ledger.attempts().stream()
                .filter(attempt -> attempt.site == site
                        && attempt.queued < since
                        && attempt.limit < 0
                        && attempt.what.endsWith("wait"))
                .toList();
    }

    private void statistics(Site site, Thing thing) {
        long got = world.ledger.gotBy(site, thing);
        Counts before = Counts.of(site.client(), thing);
        Counts after = Counts.of(site.client(), thing);
        judge(before.acquired() >= got, site, "that it got " + thing + " " + before.acquired() + " times, of " + got);
        judge(after.isNoLessThan(before), site, "of " + thing + " " + after + ", after " + before);
        judge(
                before.ended() <= after.acquired(),
                site,
                "that " + before.ended() + " holds of " + thing + " ended, of " + after.acquired());
    }

    /** Some of the counts of a lock. */
    private record Counts(long acquired, long waits, long ended) {
        static Counts of(Belay client, Thing thing) {
            LockStatistics counts = client.admin().statistics().locks().get(thing.name);
            if (counts == null) {
                return new Counts(0, 0, 0);
            }
            return new Counts(
                    counts.waits().counts().getOrDefault(WaitEnd.ACQUIRED, 0L),
                    sum(counts.waits().counts().values()),
                    sum(counts.holds().counts().values()));
        }

        private static long sum(java.util.Collection<Long> counts) {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        boolean isNoLessThan(Counts before) {
            return acquired >= before.acquired && waits >= before.waits && ended >= before.ended;
        }
    }

    /** Looks whether its store answers; it may have asked nothing since the faults, so that the last failure still counts. */
    private void health(User user, Site site) {
        if (!world.isQuiet()) {
            health(site);
        } else if (inspect(user, site, null)) {
            world.scheduler.sleep(AWARE);
            health(site);
        }
    }

    private void health(Site site) {
        StoreHealth health = site.client().admin().health();
        judge(health.answering() == health.failure().isEmpty(), site, "of its store " + health);
        boolean fails = site.isTroubledSince(world.scheduler.now() - 10_000_000_000L) || world.isSpoiled();
        judge(health.answering() || fails || world.has(Use.LATE_CONNECTIONS), site, "that its store fails: " + health);
    }

    /** Returns whether it was answered. */
    private boolean inspect(User user, Site site, @Nullable Grip grip) {
        Thing thing = grip == null ? user.dice.of(world.things) : grip.attempt.thing;
        Attempt attempt = world.ledger.begin(site, thing, 0, LOOK, false);
        boolean before = isHeld(grip);
        Inspection seen;
        try {
            seen = site.client().admin().inspect(thing.name);
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
            return false;
        }
        world.ledger.end(attempt, "sees " + seen.claims().size() + " claims");
        boolean calm = !site.isTroubledSince(attempt.began) && !world.server.isLagging();
        if (grip != null && before && isHeld(grip) && calm) {
            boolean fresh = attempt.began - grip.since < AWARE; // the store may hear of it later
            boolean listed = seen.claims().stream().anyMatch(claim -> claim.own() && (claim.place() == 0 || fresh));
            judge(listed, site, "of " + thing + " " + seen + ", and not that " + grip + " has it");
        }
        return true;
    }

    /** Whether nothing is made of a hold but its end. */
    private boolean eachEndsOnce() {
        return !world.has(Use.UPGRADES)
                && !world.has(Use.REDUCTIONS)
                && !world.has(Use.VIEWS)
                && !world.has(Use.TICKETS);
    }

    /** Judges what a client has counted that nobody uses any more. */
    void last(Site site) {
        for (Thing thing : world.things) {
            LockStatistics counts = site.client().admin().statistics().locks().get(thing.name);
            if (counts != null) {
                judge(
                        counts.now().holding() == 0 && counts.now().waiting() == 0,
                        site,
                        "that there are " + counts.now() + " for " + thing + ", which nobody uses");
                Counts all = Counts.of(site.client(), thing);
                judge(
                        !eachEndsOnce() || all.ended() == all.acquired(),
                        site,
                        "that of " + all.acquired() + " holds of " + thing + " " + all.ended() + " ended");
            }
        }
    }
}
