package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * The findings about the sentinels of a master: what they mean for locks.
 *
 * @param name what they call the master
 * @param master where it is, as clients are told
 * @param told what each sentinel that the URL names says; empty for one that says nothing
 * @param refusing those of them that refuse to be listened to
 */
record SentinelFindings(String name, Address master, Map<Address, Optional<MasterInfo>> told, Set<Address> refusing) {
    private static final int FEW = 3;
    private static final long SLOW_MILLIS = 10_000;
    private static final long PATIENT_MILLIS = 60_000;

    /** Asks all sentinels that the URL names. */
    static SentinelFindings of(Connector connector, Sentinels sentinels, Address master) {
        Settings settings = connector.settings();
        FailoverWatch watch = new FailoverWatch(connector, sentinels, other -> {});
        Set<Address> refusing = new HashSet<>();
        Map<Address, Optional<MasterInfo>> told = new LinkedHashMap<>();
        for (Address sentinel : settings.addresses()) {
            Optional<MasterInfo> answer;
            try {
                answer = Optional.ofNullable(sentinels.ask(sentinel).join());
            } catch (CompletionException e) {
                answer = Optional.empty();
            }
            told.put(sentinel, answer);
            if (answer.isPresent() && watch.isRefused(sentinel).join()) {
                refusing.add(sentinel);
            }
        }
        return new SentinelFindings(settings.place().master(), master, told, refusing);
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        told.forEach((sentinel, answer) -> {
            if (answer.isEmpty()) {
                findings.add(Finding.of(
                        Severity.WARNING,
                        "sentinels",
                        "The sentinel at " + sentinel + " does not name the master '" + name
                                + "', so there is one less to ask when it is gone.",
                        "See whether it runs, is reached and watches that master, or take it out of the URL."));
            } else if (!answer.get().address().equals(master)) {
                findings.add(Finding.of(
                        Severity.DANGER,
                        "sentinels",
                        "The sentinel at " + sentinel + " names " + answer.get().address() + " as the master and not "
                                + master + ", so clients may take locks on either.",
                        "See whether it is cut off from the others, and run SENTINEL RESET " + name + " on it."));
            }
            if (refusing.contains(sentinel)) {
                findings.add(Finding.of(
                        Severity.WARNING,
                        "sentinels",
                        "The sentinel at " + sentinel
                                + " does not let its user listen, so clients hear late of a fail-over"
                                + " and may take locks on a master that was replaced.",
                        "Run ACL SETUSER NAME " + Sentinels.RIGHTS + " on it."));
            }
        });
        told.values().stream()
                .flatMap(Optional::stream)
                .filter(answer -> answer.address().equals(master))
                .findFirst()
                .ifPresent(answer -> watching(answer, findings));
        return findings;
    }

    private void watching(MasterInfo answer, List<Finding> findings) {
        long sentinels = answer.number("num-other-sentinels") + 1;
        long quorum = answer.number("quorum");
        if (quorum > sentinels) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "sentinels",
                    "The quorum is " + quorum + " and there are " + sentinels
                            + " sentinels, so none will ever replace the master.",
                    "Run SENTINEL SET " + name + " quorum " + (sentinels / 2 + 1) + " on each of them."));
        } else if (sentinels < FEW) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "sentinels",
                    (sentinels == 1 ? "One sentinel watches" : sentinels + " sentinels watch")
                            + " the master, and it takes most of all there are to replace it: none may be missing.",
                    "Run three, on machines of their own."));
        }
        if (answer.number("num-slaves") == 0) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "sentinels",
                    "The sentinels know no replica, so nobody can take over from the master.",
                    "Run a replica of it."));
        }
        long after = answer.number("down-after-milliseconds");
        long again = 2 * answer.number("failover-timeout");
        if (after > SLOW_MILLIS || again > 2 * PATIENT_MILLIS) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "fail-over",
                    "A master has to be silent for " + after / 1000
                            + " s before another is chosen, and if that fails it is tried again after " + again / 1000
                            + " s: a lease by default ends after 30 s.",
                    "Run SENTINEL SET " + name
                            + " down-after-milliseconds 5000 failover-timeout 60000 on each of them."));
        }
    }
}
