package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** Looks at a cluster: at the whole, and at each master by itself. Only reads. */
final class ClusterInquiry {
    private final Redis redis;
    private final List<Finding> findings = new ArrayList<>();
    /** The masters that serve nobody unless all slots are served. */
    private final List<Address> whole = new ArrayList<>();

    private ClusterInquiry(Redis redis) {
        this.redis = redis;
    }

    /** Connects, looks around and goes. */
    static List<Finding> of(Redis redis) {
        ClusterInquiry inquiry = new ClusterInquiry(redis);
        Connector connector = redis.connector();
        try {
            ClusterSlots slots = ClusterNodes.firstSlots(connector);
            inquiry.coverage(slots, connector.at(slots.masters().iterator().next(), 0));
            inquiry.masters(slots);
            inquiry.failOver(slots);
            return inquiry.findings;
        } finally {
            connector.close();
        }
    }

    private void coverage(ClusterSlots slots, Connector anyMaster) {
        int missing = slots.missing();
        if (missing > 0 || state(anyMaster).contains("cluster_state:fail")) {
            findings.add(Finding.of(
                    Finding.Severity.DANGER,
                    "slots",
                    missing > 0
                            ? missing + " of " + ClusterSlots.COUNT
                                    + " slots have no master, so nobody gets the locks in them."
                            : "The cluster says that it has failed, and answers nobody.",
                    "See CLUSTER INFO and CLUSTER NODES, and bring missing masters back or move their slots."));
        }
    }

    private String state(Connector anyMaster) {
        try {
            return anyMaster.ask(commands -> commands.clusterInfo()).join();
        } catch (CompletionException e) {
            StoreException reason =
                    anyMaster.failures().of(e, anyMaster.settings().firstTimeout());
            findings.add(Finding.of(
                    Finding.Severity.NOTE,
                    "not seen",
                    "Whether the cluster is well has not been seen: " + reason.getMessage(),
                    "Grant +cluster|info to the user who asks."));
            return "";
        }
    }

    private void failOver(ClusterSlots slots) {
        List<Address> alone = slots.masters().stream().filter(slots::isAlone).toList();
        if (!alone.isEmpty()) {
            findings.add(Finding.of(
                    Finding.Severity.WARNING,
                    "fail-over",
                    names(alone) + (alone.size() == 1 ? " has" : " have")
                            + " no replica: while a master is down, nobody gets the locks in its slots.",
                    "Give each master a replica."));
        }
        if (!whole.isEmpty()) {
            findings.add(Finding.of(
                    alone.isEmpty() ? Finding.Severity.WARNING : Finding.Severity.DANGER,
                    "fail-over",
                    names(whole) + (whole.size() == 1 ? " refuses" : " refuse")
                            + " everything while any slot has no master (cluster-require-full-coverage yes): when a"
                            + " master dies that nobody replaces, the locks on all of them are lost.",
                    "Set cluster-require-full-coverage no on all nodes, so that the locks on other masters go on."));
        }
    }

    /** Looks at each master; a finding that all masters have in common is told once. */
    private void masters(ClusterSlots slots) {
        Map<Finding, List<Address>> where = new LinkedHashMap<>();
        // One after the other, and not for much longer than one alone.
        Duration span = Inquiry.CLOCK_SPAN.dividedBy(slots.masters().size());
        for (Address master : slots.masters()) {
            try {
                Examination seen = Inquiry.of(redis.at(master), span);
                if (seen.needsAllSlots()) {
                    whole.add(master);
                }
                for (Finding finding : seen.findings()) {
                    where.computeIfAbsent(finding, key -> new ArrayList<>()).add(master);
                }
            } catch (StoreException e) {
                findings.add(Finding.of(
                        Finding.Severity.DANGER,
                        "slots",
                        e.getMessage() + " It has slots, and nobody gets the locks in them now.",
                        "Bring it back, or see why no replica takes over."));
            }
        }
        where.forEach((finding, found) -> findings.add(
                found.size() == slots.masters().size()
                        ? finding
                        : Finding.of(
                                finding.severity(),
                                finding.subject(),
                                names(found) + ": " + finding.finding(),
                                finding.cure())));
    }

    private static String names(List<Address> nodes) {
        return nodes.stream().map(Address::toString).collect(Collectors.joining(", "));
    }
}
