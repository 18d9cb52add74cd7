package io.belay.camel;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.support.cluster.AbstractCamelClusterView;
import org.jspecify.annotations.Nullable;

/** The view of one namespace: this member's campaigns, and who leads. */
final class ElectionView extends AbstractCamelClusterView {
    /** The pause before the next campaign after one that failed, in milliseconds. */
    private static final long AFTER_FAILURE = 1_000;

    private final LeaderElection election;
    private final Member local;
    private volatile Optional<Leader> leader = Optional.empty();
    private volatile @Nullable Lease lease;
    private volatile @Nullable CompletableFuture<Lease> campaign;
    private LeaderElection.@Nullable Observation observation;

    /**
     * A member.
     *
     * @param view the view that it is a member of
     * @param getId its name
     * @param isLocal whether it is this process
     */
    private record Member(ElectionView view, String getId, boolean isLocal) implements CamelClusterMember {
        @Override
        public boolean isLeader() {
            return isLocal
                    ? view.leads()
                    : view.getLeader().filter(this::equals).isPresent();
        }
    }

    ElectionView(BelayClusterService service, String namespace, LeaderElection election) {
        super(service, namespace);
        this.election = election;
        local = new Member(this, "this process, " + ProcessHandle.current().pid(), true);
    }

    private boolean leads() {
        Lease held = lease;
        return held != null && held.isHeld();
    }

    @Override
    public Optional<CamelClusterMember> getLeader() {
        return leads()
                ? Optional.of(local)
                : leader.map(
                        other -> new Member(this, other.client() + "@" + other.host() + ":" + other.process(), false));
    }

    @Override
    public CamelClusterMember getLocalMember() {
        return local;
    }

    @Override
    public List<CamelClusterMember> getMembers() {
        return getLeader()
                .filter(other -> !other.isLocal())
                .map(other -> List.of(local, other))
                .orElse(List.of(local));
    }

    @Override
    protected void doStart() {
        observation = election.observe(now -> {
            leader = now;
            fireLeadershipChangedEvent(getLeader());
        });
        campaign();
    }

    private void campaign() {
        CompletableFuture<Lease> next = election.campaignAsync();
        campaign = next;
        var unused = next.whenComplete((won, failure) -> {
            if (won != null) {
                lead(won);
            } else if (isStarted() || isStarting()) {
                CompletableFuture.delayedExecutor(AFTER_FAILURE, TimeUnit.MILLISECONDS)
                        .execute(this::again);
            }
        });
    }

    private void lead(Lease won) {
        lease = won;
        won.onLost(loss -> {
            fireLeadershipChangedEvent(Optional.empty());
            again();
        });
        fireLeadershipChangedEvent(Optional.of(local));
    }

    private void again() {
        if (isStarted() || isStarting()) {
            campaign();
        }
    }

    /** Ends the campaign or the term; those who listen have been told before another leads. */
    @Override
    protected void doStop() {
        CompletableFuture<Lease> waiting = campaign;
        if (waiting != null) {
            waiting.cancel(true);
        }
        if (observation != null) {
            observation.close();
        }
        Lease held = lease;
        lease = null;
        if (held != null) {
            fireLeadershipChangedEvent(Optional.empty());
            held.release();
        }
    }
}
