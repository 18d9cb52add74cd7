package io.belay.camel;

import io.belay.Belay;
import io.belay.LeaderElection;
import io.belay.LockOptions;
import java.util.Objects;
import org.apache.camel.support.cluster.AbstractCamelClusterService;

/**
 * A cluster whose members campaign in an election of Belay for each namespace: for Camel's master component, clustered route
 * policies and whatever else asks for a {@code CamelClusterService}. No thread waits or asks: the store tells who leads, and
 * the client's clock tells at the lease's deadline that a leader leads no longer.
 *
 * <p>Routes of the master component run at most one at a time as far as a lease can promise: a member that stands still for
 * longer than its lease is told when it wakes up. In a Camel without CAMEL-23646 and CAMEL-24583 that component begins a route in
 * the seconds after its member was told that it leads, though the lead may be lost by then: such a route runs beside the next
 * leader's for some seconds. Members are those that are known to be there: this one and the leader. Listeners are
 * told of each change once, in the order in which they happen, on one thread of each namespace; and of a loss again, every 3 seconds
 * for a minute or until this member leads, which ends such routes. While its context is being stopped no member leads anew.
 *
 * <p>Thread-safe. Does not close the client.
 */
public final class BelayClusterService extends AbstractCamelClusterService<ElectionView> {
    private final Belay belay;
    private final LockOptions options;

    /** Makes a service whose elections have the client's default options. */
    public BelayClusterService(Belay belay) {
        this(belay, Objects.requireNonNull(belay, "belay").lockDefaults());
    }

    /**
     * Makes a service.
     *
     * @param belay the client, or a view of it, which has to stay open until the service has stopped
     * @param options how long a leader leads without renewing
     */
    public BelayClusterService(Belay belay, LockOptions options) {
        this.belay = Objects.requireNonNull(belay, "belay");
        this.options = Objects.requireNonNull(options, "options");
    }

    @Override
    protected ElectionView createView(String namespace) {
        LeaderElection election = belay.election(namespace, options);
        return new ElectionView(this, namespace, election);
    }
}
