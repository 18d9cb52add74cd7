package io.belay.etcd;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.maintenance.AlarmMember;
import io.etcd.jetcd.maintenance.AlarmType;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The dangers to locks in an etcd: a version with faults, a history that only grows, and that there is but one member. */
final class Examination {
    /** The old revisions that are too many: each lock taken and given back makes two, of some 200 bytes each. */
    private static final long LONG_HISTORY = 1_000_000;

    /** The cure for want of room. A leader that is defragmented keeps no lease of the whole etcd alive. */
    private static final String ROOM =
            "Run etcdctl compact, then etcdctl defrag for one member at a time and never for the"
                    + " leader (etcdctl move-leader; docs/etcd.md), or raise --quota-backend-bytes";

    private final Connection connection;
    private final EtcdUrl url;
    private final List<Finding> findings = new ArrayList<>();
    private final List<Fill> fills = new ArrayList<>();

    /** What could not be asked for, by the reason. */
    private final Map<StoreException, List<String>> unseen = new TreeMap<>(Comparator.comparing(Throwable::getMessage));

    private Examination(Connection connection, EtcdUrl url) {
        this.connection = connection;
        this.url = url;
    }

    static List<Finding> of(Connection connection, EtcdUrl url) {
        Examination examination = new Examination(connection, url);
        examination.unlessRefused("the version", examination::versions);
        examination.unlessRefused("the alarms", examination::alarms);
        examination.unlessRefused(
                "the history", () -> history(connection, url, LONG_HISTORY).ifPresent(examination.findings::add));
        examination.unlessRefused("the members", examination::members);
        examination.unseen.forEach((reason, what) -> examination.findings.add(unseen(reason, what)));
        return examination.findings;
    }

    /** Looks, and notes a failure: the user may lack the right, and a member may not answer in time. */
    private void unlessRefused(String what, Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            unseen.computeIfAbsent(new EtcdFailures(url).of(e), first -> new ArrayList<>())
                    .add(what);
        }
    }

    private static Finding unseen(StoreException reason, List<String> what) {
        return Finding.of(
                Severity.NOTE,
                reason.isTemporary() ? "not seen" : "rights",
                "This could not be asked for: " + String.join(", ", what) + ". " + reason.getMessage() + ".",
                reason.isTemporary()
                        ? "Look again, and see what its log says."
                        : "Let the doctor use a user with the role root.");
    }

    private <T> T told(CompletableFuture<T> reply) {
        return connection.told(reply).toCompletableFuture().join();
    }

    private void versions() {
        List<String> versions = new ArrayList<>();
        boolean refreshes = false;
        // A call of the other one goes to the member whose turn it is.
        try (Connection direct = EtcdStoreProvider.connect(url, false)) {
            Maintenance maintenance = direct.client().getMaintenanceClient();
            for (String member : url.addresses()) {
                try {
                    StatusResponse status = told(maintenance.statusMember(EtcdUrl.target(List.of(member))));
                    versions.add(status.getVersion());
                    Metrics metrics = url.tls() == null ? Metrics.of(member) : Metrics.UNTOLD;
                    fills.add(new Fill(status.getDbSize(), metrics.quota()));
                    refreshes |= metrics.refreshes();
                    if (status.getLeader() == 0) {
                        findings.add(cutOff(member));
                    }
                } catch (CompletionException e) {
                    if (!(e.getCause() instanceof StoreException told) || !told.isTemporary()) {
                        throw e;
                    }
                    findings.add(down(member, told));
                }
            }
        }
        findings.addAll(EtcdFaults.of(versions.stream()));
        if (refreshes) {
            findings.add(refreshes());
        }
    }

    private static Finding refreshes() {
        return Finding.of(
                Severity.NOTE,
                "leases",
                "Each new leader gives all leases their whole time anew, also those of locks that stay taken by once,"
                        + " withAtLeast or releaseAfter: where leaders change often these may never end.",
                "Where locks are to stay taken for more than minutes, start all members with"
                        + " --feature-gates=LeaseCheckpoint=true,LeaseCheckpointPersist=true (docs/etcd.md).");
    }

    private void members() {
        if (told(connection.client().getClusterClient().listMember())
                        .getMembers()
                        .size()
                == 1) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "members",
                    "There is but one member, so locks wait while it is down, and are gone with its disk.",
                    "Run three or five members where that matters."));
        }
    }

    private static Finding down(String member, StoreException why) {
        return Finding.of(
                Severity.WARNING,
                "members",
                "The member " + member + " cannot be used: " + why.getMessage()
                        + ". Without a majority nobody gets a lock.",
                "Bring it back, or leave out of the URL what is no member any more.");
    }

    private static Finding cutOff(String member) {
        return Finding.of(
                Severity.WARNING,
                "members",
                "The member " + member + " has no leader: it is cut off from the others, or elects with them just now.",
                "See that it reaches the others at their peer URLs.");
    }

    /**
     * How full a member's database is.
     *
     * @param size the bytes that it has
     * @param quota the bytes that it may have, if it tells
     */
    record Fill(long size, OptionalLong quota) {
        private boolean isNearlyFull() {
            return size > limit() / 5 * 4;
        }

        private long limit() {
            return quota.orElse(Metrics.USUAL_QUOTA);
        }

        private static String mebibytes(long bytes) {
            return (bytes >> 20) + " MiB";
        }

        Optional<Finding> finding() {
            return !isNearlyFull()
                    ? Optional.empty()
                    : Optional.of(Finding.of(
                            Severity.WARNING,
                            "space",
                            "The database has " + mebibytes(size) + ", and at "
                                    + (quota.isPresent() ? "its quota of " : "its quota, usually ") + mebibytes(limit())
                                    + (quota.isPresent() ? "" : " and not told here,")
                                    + " etcd refuses all that writes, locks among them.",
                            ROOM + "."));
        }
    }

    /** Finds fault with a database that is full, or soon will be, or of which members differ. */
    private void alarms() {
        Optional<Finding> nearly =
                fills.stream().flatMap(fill -> fill.finding().stream()).findFirst();
        List<AlarmType> alarms;
        try {
            alarms = told(connection.client().getMaintenanceClient().listAlarms()).getAlarms().stream()
                    .map(AlarmMember::getAlarmType)
                    .toList();
        } catch (CompletionException e) {
            nearly.ifPresent(findings::add);
            throw e;
        }
        if (alarms.contains(AlarmType.UNRECOGNIZED)) { // so jetcd calls CORRUPT
            findings.add(Finding.of(
                    Severity.DANGER,
                    "alarm",
                    "An alarm is on that is not for want of space: CORRUPT says that members differ, and etcd refuses"
                            + " all that writes, locks among them.",
                    "See etcdctl alarm list, and replace the member that differs by an empty one; then etcdctl"
                            + " alarm disarm."));
        }
        if (alarms.contains(AlarmType.NOSPACE)) {
            findings.add(Finding.of(
                    Severity.DANGER,
                    "space",
                    "The alarm NOSPACE is on: etcd has reached its quota and refuses all that writes, locks"
                            + " among them.",
                    ROOM + "; then etcdctl alarm disarm."));
        } else {
            nearly.ifPresent(findings::add);
        }
    }

    /** Finds fault with etcd if it remembers that many revisions, or more, of keys that have changed since. */
    static Optional<Finding> history(Connection connection, EtcdUrl url, long revisions) {
        KV kv = connection.client().getKVClient();
        ByteSequence key = ByteSequence.from(url.prefix(), StandardCharsets.UTF_8);
        long now = connection
                .told(kv.get(key))
                .toCompletableFuture()
                .join()
                .getHeader()
                .getRevision();
        if (now <= revisions) {
            return Optional.empty();
        }
        GetOption then = GetOption.builder().withRevision(now - revisions).build();
        boolean remembered = connection
                .told(kv.get(key, then).handle((found, error) -> {
                    if (error != null && !EtcdFailures.isCompacted(error)) {
                        throw new CompletionException(error);
                    }
                    return error == null;
                }))
                .toCompletableFuture()
                .join();
        return !remembered
                ? Optional.empty()
                : Optional.of(Finding.of(
                        Severity.WARNING,
                        "history",
                        "It remembers more than " + revisions
                                + " revisions of keys that have changed since, and grows with each lock that"
                                + " is taken: at its quota, 2 GiB by default, it refuses all that writes,"
                                + " locks among them.",
                        "Start etcd with --auto-compaction-mode=periodic --auto-compaction-retention=30s"
                                + " (docs/etcd.md)."));
    }
}
