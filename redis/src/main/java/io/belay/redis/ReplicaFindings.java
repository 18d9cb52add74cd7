package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The findings about the replicas of a server: what they mean for locks. */
final class ReplicaFindings {
    /** A replica in INFO: {@code ip=127.0.0.1,port=6380,state=online,offset=14,lag=0}. */
    private static final Pattern REPLICA =
            Pattern.compile("ip=([^,]+),port=(\\d+),state=(\\w+),offset=(\\d{1,18}),.*lag=(-?\\d{1,9})\\b.*");

    /** The longest silence, in seconds, of a replica that follows; replicas speak each second. */
    private static final int SILENT_SECONDS = 10;

    /** The bytes that some thousand grants make in the stream to a replica. */
    private static final long FAR_BEHIND = 1 << 20;

    private record Replica(String address, String state, long offset, int lag) {
        boolean follows() {
            return state.equals("online") && lag <= SILENT_SECONDS;
        }
    }

    private final ServerInfo server;
    private final ReplicaPolicy policy;
    private final List<Replica> replicas;

    ReplicaFindings(ServerInfo server, ReplicaPolicy policy) {
        this.server = server;
        this.policy = policy;
        replicas = Stream.iterate(0, i -> i + 1)
                .map(i -> server.get("slave" + i))
                .takeWhile(line -> !line.isEmpty())
                .map(REPLICA::matcher)
                .filter(Matcher::matches)
                .map(line -> new Replica(
                        new Address(line.group(1), Integer.parseInt(line.group(2))).toString(),
                        line.group(3),
                        Long.parseLong(line.group(4)),
                        Integer.parseInt(line.group(5))))
                .toList();
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        long follow = replicas.stream().filter(Replica::follows).count();
        if (policy.count() > follow) {
            findings.add(Finding.of(
                    policy.refuses() ? Severity.DANGER : Severity.WARNING,
                    "replicas",
                    "The URL asks for " + policy.count() + " replicas and " + follow
                            + " follow, so each grant waits in vain and "
                            + (policy.refuses()
                                    ? "nobody gets a lock (replica-missing=refuse)."
                                    : "no lock is held for longer than one lease."),
                    "Add replicas, or ask for fewer by replicas=."));
        }
        replicas.stream().filter(replica -> !replica.follows()).forEach(replica -> findings.add(silent(replica)));
        if (!replicas.isEmpty() && !policy.asks()) {
            findings.add(unawaited());
        }
        return findings;
    }

    /**
     * Returns the replicas that follow and had not got that far in the stream when they were last heard of. They speak
     * each second, so what is just being sent is missing in all of them.
     */
    List<Finding> behind(long offset) {
        return replicas.stream()
                .filter(replica -> replica.follows() && offset - replica.offset() >= FAR_BEHIND)
                .map(replica -> Finding.of(
                        Severity.WARNING,
                        "replicas",
                        "The replica at " + replica.address() + " is more than a second and "
                                + (offset - replica.offset()) / FAR_BEHIND
                                + " MB behind, so it would know nothing of the last locks if it took over.",
                        "See what keeps it, or the network to it, busy."))
                .toList();
    }

    private static Finding silent(Replica replica) {
        return Finding.of(
                Severity.WARNING,
                "replicas",
                "The replica at " + replica.address()
                        + (replica.state().equals("online")
                                ? " has been silent for " + replica.lag() + " s"
                                : " is not in sync yet (" + replica.state() + ")")
                        + ", so it would know nothing of the last locks if it took over.",
                "See whether it runs and is reached, and what its log says.");
    }

    private Finding unawaited() {
        int count = replicas.size();
        // Redis shows the field exactly if it asks for replicas before it writes.
        boolean asks = !server.get("min_slaves_good_slaves").isEmpty();
        return Finding.of(
                asks ? Severity.NOTE : Severity.WARNING,
                "fail-over",
                (count == 1 ? "A replica follows" : count + " replicas follow")
                        + ", and no lock waits until it is there: a replica that takes over may have missed the last ones.",
                (asks
                                ? "W"
                                : "Set min-replicas-to-write 1, so that a master without replicas grants nothing (and"
                                        + " renews nothing: have two, or locks end while the one is away), w")
                        + "rite replicas=1 into the URL, and guard what the locks protect by their tokens.");
    }
}
