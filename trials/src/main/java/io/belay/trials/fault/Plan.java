package io.belay.trials.fault;

import io.belay.trials.check.Promises;
import io.belay.trials.check.RateReturns;
import io.belay.trials.check.RecordSizes;
import io.belay.trials.check.ToldInTime;
import io.belay.trials.client.Workloads;
import io.belay.trials.library.Libraries;
import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * A plan of what to try.
 *
 * @param store the store's name
 * @param fault what goes wrong
 * @param workload the workload's name
 * @param library the library's name
 * @param plant the planted bug
 * @param seconds for how long
 * @param seed what the schedule is drawn from
 * @param directory where the histories go
 */
public record Plan(
        String store,
        Fault fault,
        String workload,
        String library,
        Plant plant,
        int seconds,
        long seed,
        Path directory) {
    /** A lease so short that it often ends. */
    private static final Duration LEASE = Duration.ofSeconds(1);
    /** A lease so long that a hold outlives the second and a half that a fail-over takes. */
    private static final Duration LEASE_OVER_A_FAIL_OVER = Duration.ofSeconds(3);

    /**
     * A longer lease, so that leases of etcd and sessions of ZooKeeper outlive an election, as far as that is
     * possible, and those in a database some tries to connect anew.
     */
    private static final Duration LONGER_LEASE = Duration.ofSeconds(2);

    /** The workloads whose waits are long, and ask little of the store. */
    private static final Set<String> QUIET_WORKLOADS = Set.of("mutex", "counter", "guarded");

    /** The lease of every lock. */
    public Duration lease() {
        if (fault.isFailOver()) {
            return LEASE_OVER_A_FAIL_OVER;
        }
        return switch (store) {
            case "etcd", "zookeeper", "postgresql", "mariadb", "mysql" -> LONGER_LEASE;
            default -> LEASE;
        };
    }

    /** Returns the longest time, from when its owner was last heard of, until a claim is gone. */
    Duration claimsEnd() {
        return Sites.claimsEnd(store, lease());
    }

    /** Returns whether locks are to stay taken after their release. */
    public boolean keeps() {
        return movesEnds() && Sites.hasLeasePerClaim(store);
    }

    /** Returns whether the ends of holds are to be moved. */
    public boolean movesEnds() {
        return workload.equals("jobs");
    }

    /** Returns whether the rate of grants is judged after each strike, which must have quiet times before it and after it. */
    public boolean judgesRate() {
        boolean strikesAll = fault == Fault.OUTAGE || (fault == Fault.SERVER && !Sites.hasLeader(store));
        return workload.equals("storm") && strikesAll;
    }

    /** Returns for how long at the end nothing is being done, so that all can show that they recover. */
    Duration calm() {
        Duration calm = lease().multipliedBy(fault.calmLeases());
        return judgesRate() && calm.compareTo(RateReturns.QUIET) < 0 ? RateReturns.QUIET : calm;
    }

    /** Returns for how long before that nothing is begun: where the end of a strike says that something works again. */
    Duration lastStrike() {
        return fault == Fault.HALF_OPEN ? Sites.worksAgain(store, lease()) : Duration.ZERO;
    }

    /** Returns the promises that are to be kept. */
    public Promises promises() {
        Promises promises = fault.promises(store, lease());
        if (workload.equals("storm")) {
            promises = promises.and(new RateReturns(), new RecordSizes(Clients.COUNT * Workloads.threads(workload)));
        }
        if (fault == Fault.NONE && !movesEnds()) {
            // Nobody dies, so nothing that ends by itself after a lease is to be in the way.
            Duration asked = lease().multipliedBy(2).dividedBy(3);
            promises = promises.withHandOver(workload.equals("fresh") ? asked : asked.plus(Fault.REACTION));
        }
        if (fault == Fault.NONE && library.equals(Libraries.BELAY) && QUIET_WORKLOADS.contains(workload)) {
            promises = promises.and(new ToldInTime(lease()));
        }
        // Who wants several locks waits for one of them after the other, but says for all at once that it does.
        return workload.equals("multi") ? promises.withoutHandOver() : promises;
    }
}
