package io.belay.cli.doctor;

import io.belay.cli.text.Json;
import io.belay.cli.text.Text;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report of findings and round trips, as JSON and as a list. */
final class DoctorReport {
    private static final int WIDTH = 80;
    private static final String MARGIN = " ".repeat(9);

    private final String store;
    private final List<Finding> findings;
    private final Optional<RoundTrips> trips;
    private final Verdict verdict;

    /**
     * @param tried whether locks were taken, or tried to be
     */
    DoctorReport(String store, List<Finding> findings, Optional<RoundTrips> trips, boolean tried) {
        this.store = store;
        this.findings = findings;
        this.trips = trips;
        verdict = Verdict.of(findings, tried);
    }

    Verdict verdict() {
        return verdict;
    }

    void print(boolean json) {
        if (json) {
            Json.print(json());
        } else {
            System.out.println(text());
        }
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("store", UrlPasswords.maskUrl(store));
        object.put("findings", findings);
        object.put("dangers", count(Severity.DANGER));
        object.put("warnings", count(Severity.WARNING));
        object.put("notes", count(Severity.NOTE));
        trips.ifPresent(measured -> object.put("roundTrips", measured.json()));
        object.put("verdict", verdict.words());
        return object;
    }

    String text() {
        List<String> parts = new ArrayList<>();
        for (Finding finding : findings) {
            parts.add(Text.format("%-9s%s", finding.severity(), Text.printable(finding.subject())) + "\n"
                    + wrapped(finding.finding()) + "\n"
                    + wrapped("Cure: " + finding.cure()));
        }
        trips.ifPresent(measured -> parts.add(new RoundTripChart(measured).text()));
        parts.add(last());
        return String.join("\n\n", parts);
    }

    private static String wrapped(String sentence) {
        return Text.wrap(Text.printable(sentence), WIDTH, MARGIN);
    }

    private String last() {
        if (verdict == Verdict.FIT) {
            return verdict.words() + ": a lock was taken, and nothing found that endangers locks on "
                    + UrlPasswords.maskUrl(store);
        } else if (verdict == Verdict.UNTRIED) {
            return verdict.words() + "; no lock was taken on " + UrlPasswords.maskUrl(store);
        }
        return verdict.words() + ": " + counted(Severity.DANGER, "danger") + ", " + counted(Severity.WARNING, "warning")
                + ", " + counted(Severity.NOTE, "note") + " on " + UrlPasswords.maskUrl(store);
    }

    private String counted(Severity severity, String word) {
        long count = count(severity);
        return count + " " + word + (count == 1 ? "" : "s");
    }

    private long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
