package io.belay.simulation;

import io.belay.LossReason;
import io.belay.internal.gate.Holds;
import java.util.List;

/**
 * Judges when something comes: the ends of waits, of drains, and the news of losses. A store that is silent is no excuse, as each of
 * these is to come all the same; a process that is kept from going on is.
 */
final class Times {
    /** For how long an answer that is due is waited for beyond a limit, and then for that to a leave. */
    static final long DUE = 200_000_000;

    /** What threads need to go on, and clients to tell. */
    private static final long SLACK = 100_000_000;

    /** For how long a loss that may have been by force is told later, so that it can be said who took the lock away. */
    private static final long BY_WHOM = 500_000_000;

    /** For how long connections are waited for to be closed, and in the end for the log. */
    private static final long CONNECTIONS = 2_000_000_000;

    private static final long LOG = 200_000_000;

    private final World world;
    private final boolean judges;
    /** Whether those who wait in a thread of their own go on when they should: no code of others is to hold them up. */
    private final boolean judgesThreads;

    Times(World world) {
        this.world = world;
        judges = world.plan.tellsAtOnce();
        judgesThreads = !world.plan.has(Fault.NO_THREADS);
    }

    /** Whether threads and answers come when they should, as far as anybody knows. */
    boolean judges() {
        return judges;
    }

    private long now() {
        return world.scheduler.now();
    }

    private boolean judges(Attempt attempt) {
        return attempt.isAsynchronous() ? judges : judgesThreads;
    }

    /** Judges that somebody did not wait for much longer than it wanted, or than until it was interrupted. */
    void ended(Attempt attempt) {
        Site site = attempt.site;
        if (!judges(attempt) || site.isStalledSince(attempt.began)) {
            return;
        }
        // A try waits for an answer as long as any request does, and so do a latch, behind its wait, and a cold client.
        long lately = attempt.began - world.requestTimeout;
        long asleep =
                site.isStalledSince(lately) ? Gremlin.LONGEST_SUSPENSION : 0; // which its own clock does not count
        boolean patient = attempt.thing.kind == Thing.Kind.OTHER || site.cold > lately - asleep;
        long longest = (attempt.limit == 0 ? world.requestTimeout : attempt.limit)
                + Math.max(DUE, patient ? world.requestTimeout : 0)
                + DUE // for the answer to a leave
                + SLACK;
        long took = now() - attempt.began;
        if (attempt.limit >= 0 && took > longest) {
            world.violate(Oracle.TIMES, attempt + " ends after " + took / 1_000_000 + " ms");
        }
        long ignored = now() - Math.max(attempt.began, attempt.actor.interruptedAt);
        if (attempt.isInterruptible() && attempt.actor.isToBeTold() && ignored > DUE + SLACK) {
            world.violate(
                    Oracle.TIMES, attempt + " ends " + ignored / 1_000_000 + " ms after its thread was interrupted");
        }
    }

    /** Judges that nobody's wait ends in vain before its time is over. */
    void inVain(Attempt attempt) {
        long took = now() - attempt.began;
        boolean early = took < attempt.limit - attempt.limit / 100 - 1_000_000;
        if (early && !attempt.site.isStalledSince(attempt.began)) {
            world.violate(Oracle.TIMES, attempt + " is in vain after " + took / 1_000_000 + " ms already");
        }
    }

    /** Judges that a client which lets nobody in since then has told that to those who wait. */
    void refusesAll(Site site, long since) {
        for (Attempt attempt : world.ledger.attempts()) {
            long late = now() - Math.max(attempt.began, Math.max(since, site.machine.stalled));
            if (attempt.site == site && attempt.waits() && judges(attempt) && late > DUE + SLACK) {
                world.violate(
                        Oracle.TIMES,
                        attempt + " goes on " + late / 1_000_000 + " ms after its client began to let nobody in");
            }
        }
    }

    /** Judges that the present thread, if it was interrupted, was told or is so still. */
    void keepsInterrupts() {
        Actor me = world.scheduler.current();
        if (me.hasMissedAnInterrupt()) {
            world.violate(Oracle.FAILURES, me + " was interrupted, and is neither told nor kept so");
        }
    }

    /** Judges that listeners are told at the deadline, by the holder's own clock. */
    void check(Grip grip) {
        Site site = grip.attempt.site;
        long nanos = site.machine.nanos();
        long deadline = nanos - Holds.over(grip.lease, nanos);
        if (deadline != grip.deadline) {
            grip.deadline = deadline;
            grip.moved = now();
        }
        if (!judges || grip.changing) {
            return;
        }
        site.holds(grip);
        if (site.closing && world.plan.has(Fault.NO_THREADS_AT_CLOSE)) {
            return;
        }
        // An answer may bring it into the past, where the wall clock was put ahead meanwhile.
        long since = Math.max(now() - (nanos - deadline), Math.max(grip.moved, site.machine.stalled));
        long late = now() - Math.max(since, grip.listened);
        LossReason reason = Holds.reason(grip.lease);
        boolean mayBeForced = reason == LossReason.FORCED || reason == LossReason.FORGOTTEN;
        if (late > SLACK + (mayBeForced ? BY_WHOM : 0) && grip.told.stream().anyMatch(count -> count[0] == 0)) {
            world.violate(
                    Oracle.TIMES,
                    "a listener of " + grip + " for " + grip.attempt.thing + " is not told of its loss "
                            + late / 1_000_000 + " ms after the deadline");
        }
    }

    /**
     * Judges that whoever has what was taken away by force is told by its next renewal, whatever became of the push. A fixed lease is
     * not renewed.
     */
    void hearsOfForce(Grip grip) {
        Site site = grip.attempt.site;
        long since = Math.max(world.discounts.forcedAt(grip), grip.since);
        long late = now() - since;
        boolean heard = late <= grip.term / 3 + world.longestAnswer + SLACK;
        if (!judges || heard || world.ends.isFixed(grip) || site.isStalledSince(since)) {
            return;
        }
        boolean sound = !site.isTroubledSince(since) && grip.attempt.thing.bad < since;
        if (sound && !grip.changing && world.ledger.isBelieved(grip)) {
            world.violate(
                    Oracle.TIMES,
                    grip + " has " + grip.attempt.thing + " for " + late / 1_000_000
                            + " ms since it was taken away by force");
        }
    }

    /** Judges that a drain has ended in its time, and not before those who held something have given it back. */
    void drained(Site site, long began, long longest, List<Grip> held) {
        if (site.isStalledSince(began)) {
            return;
        }
        Actor me = world.scheduler.current(); // an interrupt, which is kept, ends the wait for holders
        long most = me.isInterrupted() ? Math.min(longest, Math.max(0, me.interruptedAt - began)) : longest;
        long took = now() - began;
        for (Grip grip : held) {
            boolean cut = !grip.givenBack && Holds.reason(grip.lease) == LossReason.CLOSED;
            if (cut && took < most - most / 100 - SLACK) {
                world.violate(
                        Oracle.TIMES,
                        grip + " has " + grip.attempt.thing + " taken away by a drain that had "
                                + (most - took) / 1_000_000 + " ms left");
            }
        }
        boolean connects = world.plan.shape() == Shape.DOCUMENTS || world.plan.shape() == Shape.NODES;
        long end = most + 2 * world.requestTimeout + DUE + LOG + (connects ? CONNECTIONS : 0);
        if (judges && took > end) {
            world.violate(
                    Oracle.TIMES,
                    site + " is closed " + took / 1_000_000 + " ms after it began to drain for " + most / 1_000_000
                            + " ms");
        }
    }
}
