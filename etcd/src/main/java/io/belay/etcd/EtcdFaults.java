package io.belay.etcd;

import io.belay.server.KnownFault;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.List;
import java.util.stream.Stream;

/** The known faults of versions of etcd. */
final class EtcdFaults {
    private static final String CURE = "Use etcd 3.6.11, 3.5.30, 3.4.44 or later.";

    private static final String LEASES = "may end leases, when a leader that stood still has been replaced, that its"
            + " successor keeps alive, and so take locks from living holders (etcd#15247).";

    private static final String USERS = "may have members that differ, if it has users and a member was added, so that"
            + " they do not agree on who has a lock (kubernetes#114093).";

    private static final String KEPT =
            "may tell that a lease is kept alive that it ends at that moment, so that one who"
                    + " renews too late learns of its loss a little later (etcd#20590).";

    private static final String OPEN =
            "lets whoever reaches its port keep leases alive, though it has users, and so keep locks"
                    + " taken that nobody has any more (GHSA-q8m4-xhhv-38mg), and lets each of its users read and write"
                    + " all keys, whatever its rights (GHSA-rfx7-8w68-q57q).";

    private static final List<KnownFault> KNOWN = List.of(
            new KnownFault(
                    Severity.DANGER,
                    "3.5.0",
                    "3.5.3",
                    "may have members that differ after one was killed, so that they do not agree on who has a lock"
                            + " (etcd#13766).",
                    CURE),
            new KnownFault(
                    Severity.WARNING,
                    "3.5.0",
                    "3.5.6",
                    "may have members that differ after one has failed while it was defragmented (kubernetes#114093).",
                    CURE),
            new KnownFault(Severity.WARNING, "3.5.5", "3.5.6", USERS, CURE),
            new KnownFault(Severity.WARNING, "3.4.20", "3.4.22", USERS, CURE),
            new KnownFault(Severity.WARNING, "0", "3.4.31", LEASES, CURE),
            new KnownFault(Severity.WARNING, "3.5.0", "3.5.13", LEASES, CURE),
            new KnownFault(Severity.NOTE, "0", "3.4.39", KEPT, CURE),
            new KnownFault(Severity.NOTE, "3.5.0", "3.5.23", KEPT, CURE),
            new KnownFault(Severity.NOTE, "3.6.0", "3.6.5", KEPT, CURE),
            new KnownFault(Severity.NOTE, "0", "3.4.42", OPEN, CURE),
            new KnownFault(Severity.NOTE, "3.5.0", "3.5.28", OPEN, CURE),
            new KnownFault(Severity.NOTE, "3.6.0", "3.6.9", OPEN, CURE),
            new KnownFault(
                    Severity.NOTE,
                    "0",
                    "3.5.0",
                    "has had no support since 3.6 is there: etcd mends the last two minor versions.",
                    "Use etcd 3.5.30 or later."));

    private EtcdFaults() {}

    /** Returns what is known of the versions of an ensemble's members, each of which is looked at once. */
    static List<Finding> of(Stream<String> versions) {
        return versions.distinct()
                .flatMap(version -> KnownFault.in("etcd", version, KNOWN).stream())
                .toList();
    }
}
