package io.belay.simulation;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.LeaderElection.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An observation of who leads, and what it was told. */
final class Observed {
    /** For how long at most after a lease's third an observer that asks does not know who leads. */
    private static final long SLACK = 400_000_000;

    private final Site site;
    private final World world;
    private final Thing thing;
    private final long lease;
    private final long since;
    private final Observation observation;
    private @Nullable Optional<Leader> last;
    private long highest;
    private boolean telling;
    private boolean closed;
    /** How many calls have begun since it was closed. */
    private int late;

    Observed(Site site, Thing thing, LeaderElection election, long lease) {
        this.site = site;
        world = site.world;
        this.thing = thing;
        this.lease = lease;
        since = world.scheduler.now();
        observation = election.observe(this::told);
    }

    private void told(Optional<Leader> leader) {
        world.story.tell(world.scheduler, site.machine, () -> "is told who leads " + thing + ": " + leader);
        if (telling) {
            world.violate(Oracle.LOOKS, site + " is told twice at a time who leads " + thing);
        } else if (closed && ++late > 1) { // one may have been beginning
            world.violate(Oracle.LOOKS, this + " is closed, and told that " + leader + " leads");
        }
        long token = leader.map(Leader::token).orElse(highest);
        // A replica that takes over need not know of the last term.
        if (token < highest && !world.plan.has(Fault.REPLICAS)) {
            world.violate(Oracle.LOOKS, this + " is told that " + leader + " leads, after a term of " + highest);
        }
        telling = true;
        last = leader;
        highest = Math.max(highest, token);
        try {
            world.userCode();
        } finally {
            telling = false;
        }
    }

    /** Judges that it knows who leads, and has for long. */
    void knows(Grip grip) {
        long began = Math.max(since, grip.since);
        boolean calm = !site.isTroubledSince(began) && !grip.attempt.site.isTroubledSince(began);
        boolean old = world.scheduler.now() - began > lease / 3 + SLACK;
        if (!closed && !site.closing && world.times.judges() && calm && old) {
            Optional<Leader> told = last;
            if (told == null
                    || told.filter(leader -> leader.token() == grip.token).isEmpty()) {
                world.violate(Oracle.LOOKS, this + " is not told that " + grip + " leads, but of " + told);
            }
        }
    }

    /** Whether it goes on, and is of that election. */
    boolean isOf(Thing election) {
        return thing == election && !closed;
    }

    /** Whether it knows that nobody leads. */
    boolean knowsOfNobody() {
        return last != null && last.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        if (!closed) {
            observation.close();
            closed = true;
        }
    }

    @Override
    public String toString() {
        return site + "'s observation of " + thing;
    }
}
