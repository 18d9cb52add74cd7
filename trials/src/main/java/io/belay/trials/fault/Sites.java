package io.belay.trials.fault;

import io.belay.trials.fault.Strike.Target;
import java.io.IOException;
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
        ALL.put("file", "a directory");
    }

    private Sites() {}

    /** What each is. */
    public static Map<String, String> all() {
        return ALL;
    }

    /** What of it faults can strike. */
    static Set<Target> targets(String store) {
        return switch (store) {
            case "redis" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK, Target.CLOCK, Target.DISK);
            case "quorum" -> EnumSet.of(Target.CLIENTS, Target.SERVERS, Target.NETWORK);
            case "sentinel" -> EnumSet.of(Target.CLIENTS, Target.MASTER);
            default -> EnumSet.of(Target.CLIENTS);
        };
    }

    static Site open(Plan plan) throws IOException, InterruptedException {
        return switch (plan.store()) {
            case "redis" -> new RedisSite(Clients.COUNT, plan.fault().setsClock());
            case "quorum" -> new QuorumSite(plan.lease());
            case "sentinel" -> new SentinelSite();
            case "file" -> new FileSite(plan.directory().resolve("store"));
            default -> throw new IllegalArgumentException("no store '" + plan.store() + "'");
        };
    }
}
