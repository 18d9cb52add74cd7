package io.belay.trials.fault;

import io.belay.BelayOptions;
import io.belay.trials.fault.Strike.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The stores by name. */
public final class Sites {
    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("redis", "one Redis with an append-only file");
        ALL.put("quorum", "a quorum of three Redis servers that keep nothing");
        ALL.put("sentinel", "a Redis with two replicas and three sentinels, replicas=1");
        ALL.put("cluster", "a Redis cluster of three masters and their replicas");
        ALL.put("etcd", "an etcd of three members");
        ALL.put("zookeeper", "a ZooKeeper of three members");
        ALL.put("postgresql", "a PostgreSQL");
        ALL.put("mariadb", "a MariaDB");
        ALL.put("mysql", "a MySQL");
        ALL.put("file", "a directory");
    }

    private Sites() {}

    /** Returns the stores by name, with what each is. */
    public static Map<String, String> all() {
        return ALL;
    }

    /** Returns the parts of a store that faults can strike. */
    static Set<Target> targets(String store) {
        return switch (store) {
            case "redis" -> EnumSet.complementOf(EnumSet.of(Target.PEERS, Target.MASTER, Target.SLOTS));
            case "quorum" ->
                EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK, Target.PUSHES, Target.SCRIPTS, Target.ROOM);
            case "etcd" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK, Target.PEERS, Target.ROOM);
            case "zookeeper" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK, Target.PUSHES, Target.PEERS);
            case "postgresql" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK, Target.ROOM);
            case "mariadb", "mysql" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK);
            case "cluster" -> EnumSet.of(Target.CLIENTS, Target.SLOTS, Target.ROOM);
            case "sentinel" -> EnumSet.of(Target.CLIENTS, Target.MASTER, Target.ROOM);
            case "file" -> EnumSet.of(Target.CLIENTS, Target.ROOM);
            default -> EnumSet.of(Target.CLIENTS);
        };
    }

    /** Returns whether the store has members of which one leads. */
    static boolean hasLeader(String store) {
        return targets(store).contains(Target.PEERS);
    }

    /** Returns whether a grant that its owner does not come for goes to the next soon, though the owner lives. */
    static boolean passesOver(String store) {
        return !store.equals("etcd") && !store.equals("zookeeper");
    }

    /** Returns whether claims have leases of their own: whether there are fixed ones, and locks that stay taken. */
    static boolean hasLeasePerClaim(String store) {
        return !store.equals("zookeeper");
    }

    /** Returns the longest time, from when its owner was last heard of, until a claim of that lease is gone. */
    static Duration claimsEnd(String store, Duration lease) {
        return switch (store) {
            // It counts in whole seconds, and looks twice a second.
            case "etcd" -> lease.plusSeconds(2);
            // It looks for sessions that have ended once in a tick.
            case "zookeeper" -> lease.plusSeconds(1);
            default -> lease;
        };
    }

    /** Returns the longest that a request may take: short, so that a client gives up on a silent server within a lease. */
    static Duration requestTimeout(String store, Duration lease) {
        return switch (store) {
            case "etcd" -> lease.dividedBy(4);
            case "postgresql", "mariadb", "mysql" -> lease.dividedBy(3);
            default -> BelayOptions.defaults().requestTimeout();
        };
    }

    /**
     * Returns the longest time until a free lock is granted to a client whose connections have become half-open, and
     * until the claims are gone that it cannot renew meanwhile.
     */
    static Duration worksAgain(String store, Duration lease) {
        // A ZooKeeper's client looks for another member after two thirds of its session.
        Duration noticed = store.equals("zookeeper")
                ? lease.multipliedBy(2).dividedBy(3)
                : requestTimeout(store, lease).multipliedBy(2);
        Duration works = noticed.plusSeconds(2);
        Duration gone = claimsEnd(store, lease);
        return works.compareTo(gone) > 0 ? works : gone;
    }

    static Site open(Plan plan) throws IOException, InterruptedException {
        return switch (plan.store()) {
            case "redis" -> new RedisSite(Clients.COUNT, plan.fault().setsClock());
            case "quorum" -> new QuorumSite(plan.lease());
            case "sentinel" -> new SentinelSite();
            case "cluster" -> new ClusterSite();
            case "etcd" -> MembersSite.etcd(Clients.COUNT, plan.lease());
            case "zookeeper" -> MembersSite.zooKeeper(Clients.COUNT, plan.lease());
            case "postgresql" -> DatabaseSite.postgres(Clients.COUNT, plan.lease());
            case "mariadb" -> DatabaseSite.mariaDb(Clients.COUNT, plan.lease());
            case "mysql" -> DatabaseSite.mySql(Clients.COUNT, plan.lease());
            case "file" -> FileSite.at(plan.directory().resolve("store"), plan.fault() == Fault.FULL);
            default -> throw new IllegalArgumentException("no store '" + plan.store() + "'");
        };
    }
}
