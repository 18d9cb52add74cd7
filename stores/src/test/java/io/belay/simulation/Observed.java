package io.belay.simulation;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.LeaderElection.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An observation of who leads, and what it was told. */
final class Observed {
    private final Site site;
    private final World world;
    private final Thing thing;
    private final Observation observation;
    private @Nullable Optional<Leader> last;
    private boolean telling;
    private boolean closed;

    Observed(Site site, Thing thing, LeaderElection election) {
        this.site = site;
        world = site.world;
        this.thing = thing;
        observation = election.observe(this::told);
    }

    private void told(Optional<Leader> leader) {
        world.story.tell(world.scheduler, site.machine, () -> "is told who leads " + thing + ": " + leader);
        if (telling) {
            world.violate(Oracle.LOOKS, site + " is told twice at a time who leads " + thing);
        }
        telling = true;
        last = leader;
        try {
            world.userCode();
        } finally {
            telling = false;
        }
    }

    /** Whether it knows that nobody leads. */
    boolean knowsOfNobody() {
        return last != null && last.isEmpty();
    }

    void close() {
        if (!closed) {
            closed = true;
            observation.close();
        }
    }

    @Override
    public String toString() {
        return site + "'s observation of " + thing;
    }
}
