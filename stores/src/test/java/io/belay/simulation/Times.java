package io.belay.simulation;

import io.belay.LossReason;
import io.belay.internal.gate.Holds;
import java.util.List;

/** Judges when something comes where nothing is wrong: the ends of waits, of drains, and the news of losses. */
final class Times {
    /** For how long an answer that is due is waited for beyond a limit. */
    private static final long DUE = 200_000_000;

    /** What threads need to go on, and clients to tell. */
    private static final long SLACK = 100_000_000;

    /** For how long a loss may be told later, so that it can be said who took the lock away. */
    private static final long BY_WHOM = 3_000_000_000L;

    private final World world;
    private final boolean judges;

    Times(World world) {
        this.world = world;
        judges = world.plan.tellsAtOnce() && !world.plan.has(Fault.LOG_BLOCKS);
    }

    /** Whether threads and answers come when they should, as far as anybody knows. */
    boolean judges() {
        return judges;
    }

    private long now() {
        return world.scheduler.now();
    }

    /** Judges that somebody did not wait for much longer than it wanted. */
    void ended(Attempt attempt) {
        long took = now() - attempt.began;
        long longest = attempt.limit + Math.max(DUE, world.requestTimeout) + SLACK;
        if (judges && attempt.limit >= 0 && took > longest && !attempt.site.isTroubledSince(attempt.began)) {
            world.violate(Oracle.TIMES, attempt + " ends after " + took / 1_000_000 + " ms");
        }
    }

    /** Judges that nobody gives up before its time is over. */
    void notHad(Attempt attempt) {
        long took = now() - attempt.began;
        boolean early = took < attempt.limit - attempt.limit / 100 - 1_000_000;
        if (early && !attempt.site.closing && !attempt.site.isTroubledSince(attempt.began)) {
            world.violate(Oracle.TIMES, attempt + " gives up after " + took / 1_000_000 + " ms already");
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
        if (!judges || grip.changing || grip.told.isEmpty()) {
            return;
        }
        // An answer may bring it into the past, where the wall clock was put ahead meanwhile.
        long over = Math.min(nanos - deadline, now() - grip.moved);
        boolean calm = now() - grip.listened > SLACK
                && !site.isTroubledSince(now() - over - SLACK)
                && !site.closing
                && grip.attempt.thing.evicted < now() - BY_WHOM;
        if (over > SLACK && calm && grip.told.stream().anyMatch(count -> count[0] == 0)) {
            world.violate(
                    Oracle.TIMES,
                    "a listener of " + grip + " for " + grip.attempt.thing + " is not told of its loss "
                            + over / 1_000_000 + " ms after the deadline");
        }
    }

    /** Judges that a drain has ended in its time, and not before those who held something have given it back. */
    void drained(Site site, long began, long longest, List<Grip> held) {
        long took = now() - began;
        for (Grip grip : held) {
            boolean cut = !grip.givenBack && Holds.reason(grip.lease) == LossReason.CLOSED;
            if (cut && took < longest - longest / 100 - SLACK && !site.isTroubledSince(began)) {
                world.violate(
                        Oracle.TIMES,
                        grip + " has " + grip.attempt.thing + " taken away by a drain that had "
                                + (longest - took) / 1_000_000 + " ms left");
            }
        }
        if (judges && took > longest + 2 * world.requestTimeout + DUE && !site.isTroubledSince(began)) {
            world.violate(
                    Oracle.TIMES,
                    site + " is closed " + took / 1_000_000 + " ms after it began to drain for " + longest / 1_000_000
                            + " ms");
        }
    }
}
