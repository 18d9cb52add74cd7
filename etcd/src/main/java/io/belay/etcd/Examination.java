package io.belay.etcd;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.cluster.MemberListResponse;
import io.etcd.jetcd.maintenance.AlarmType;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The dangers to locks in an etcd: a version with faults, a history that only grows, and that there is but one member. */
final class Examination {
    /** The old revisions that are too many: each lock taken and given back makes two, of some 200 bytes each. */
    private static final long LONG_HISTORY = 1_000_000;

    private Examination() {}

    static List<Finding> of(Connection connection, EtcdUrl url) {
        List<Finding> findings = new ArrayList<>();
        try {
            List<String> versions = new ArrayList<>();
            List<Fill> fills = new ArrayList<>();
            for (String member : url.addresses()) {
                try {
                    StatusResponse status = connection
                            .told(connection
                                    .client()
                                    .getMaintenanceClient()
                                    .statusMember(EtcdUrl.target(List.of(member))))
                            .toCompletableFuture()
                            .join();
                    versions.add(status.getVersion());
                    fills.add(new Fill(status.getDbSize(), url.tls() == null ? Quota.of(member) : Quota.USUAL));
                } catch (CompletionException e) {
                    if (!(e.getCause() instanceof StoreException told) || !told.isTemporary()) {
                        throw e;
                    }
                    findings.add(down(member, told));
                }
            }
            findings.addAll(EtcdFaults.of(versions.stream()));
            space(connection, fills).ifPresent(findings::add);
            history(connection, url, LONG_HISTORY).ifPresent(findings::add);
            MemberListResponse members = connection
                    .told(connection.client().getClusterClient().listMember())
                    .toCompletableFuture()
                    .join();
            if (members.getMembers().size() == 1) {
                findings.add(Finding.of(
                        Severity.NOTE,
                        "members",
                        "There is but one member, so locks wait while it is down, and are gone with its disk.",
                        "Run three or five members where that matters."));
            }
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() instanceof StoreException told ? told : e;
            findings.add(Finding.of(
                    Severity.NOTE,
                    "rights",
                    "The version and the members could not be asked for: " + cause.getMessage() + ".",
                    "Let the doctor use a user with the role root."));
        }
        return findings;
    }

    private static Finding down(String member, StoreException why) {
        return Finding.of(
                Severity.WARNING,
                "members",
                "The member " + member + " does not answer: " + why.getMessage()
                        + ". Without a majority nobody gets a lock.",
                "Bring it back, or leave out of the URL what is no member any more.");
    }

    /**
     * How full a member's database is.
     *
     * @param size the bytes that it has
     * @param quota the bytes that it may have
     */
    private record Fill(long size, long quota) {
        boolean isNearlyFull() {
            return size > quota / 5 * 4;
        }

        private static String mebibytes(long bytes) {
            return (bytes >> 20) + " MiB";
        }

        Finding finding() {
            return Finding.of(
                    Severity.WARNING,
                    "space",
                    "The database has " + mebibytes(size) + ", and at its quota of " + mebibytes(quota)
                            + " etcd refuses all that writes, locks among them.",
                    "Run etcdctl compact and etcdctl defrag, or raise --quota-backend-bytes.");
        }
    }

    /** Finds fault with a database that is full, or soon will be. */
    private static Optional<Finding> space(Connection connection, List<Fill> fills) {
        boolean full = connection
                .told(connection.client().getMaintenanceClient().listAlarms())
                .toCompletableFuture()
                .join()
                .getAlarms()
                .stream()
                .anyMatch(alarm -> alarm.getAlarmType() == AlarmType.NOSPACE);
        if (full) {
            return Optional.of(Finding.of(
                    Severity.DANGER,
                    "space",
                    "The alarm NOSPACE is on: etcd has reached its quota and refuses all that writes, locks"
                            + " among them.",
                    "Run etcdctl compact and etcdctl defrag, or raise --quota-backend-bytes; then etcdctl"
                            + " alarm disarm."));
        }
        return fills.stream().filter(Fill::isNearlyFull).findFirst().map(Fill::finding);
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
        boolean remembered = kv.get(key, then)
                .handle((found, compacted) -> compacted == null)
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
