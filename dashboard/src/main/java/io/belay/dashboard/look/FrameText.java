package io.belay.dashboard.look;

import io.belay.Inspection;
import io.belay.Inspection.Claim;
import io.belay.spi.Finding;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The writer of frames. What all pages have in common is made once for each reading. Tokens are texts, as browsers have no numbers
 * of that size. For one thread.
 */
final class FrameText {
    static final int ROWS = 100;

    private static final int CHANGES = 60;
    private static final long NANOS = 1_000_000;
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final Reader reader;
    private final long now = System.nanoTime();
    private final Map<String, Object> common = new LinkedHashMap<>();

    /**
     * Makes what all have in common.
     *
     * @param instance tells those apart who make frames
     * @param doctor what knows what endangers the locks; empty if nobody looks
     * @param clients what clients have told
     */
    FrameText(String instance, Reader reader, Optional<Doctor> doctor, List<Map<String, Object>> clients) {
        this.reader = reader;
        common.put("instance", instance);
        common.put("atMillis", reader.lastAnswerMillis());
        if (reader.isAway()) {
            common.put("awaySinceMillis", reader.outage().sinceMillis());
            common.put("awayWhy", reader.outage().why());
        }
        if (!reader.missed().isEmpty()) {
            common.put("missed", reader.missed());
        }
        common.put("totals", totals());
        common.put("reading", reading());
        common.put("rings", reader.rings().stream().map(FrameText::ring).toList());
        common.put("doctor", doctor.isPresent());
        doctor.flatMap(Doctor::findings)
                .ifPresent(all -> common.put(
                        "findings", all.stream().map(FrameText::finding).toList()));
        common.put("clients", clients);
        common.put(
                "changes",
                reader.changes().newest(CHANGES).stream().map(FrameText::change).toList());
    }

    /** Returns what a page shows, on one line. */
    byte[] of(View view) {
        Map<String, Object> frame = new LinkedHashMap<>(common);
        List<SeenLock> found = Top.of(reader.locks(), view.search(), ROWS);
        frame.put("rows", found.stream().map(this::row).toList());
        frame.put(
                "found",
                reader.locks().stream()
                        .filter(lock -> lock.name().startsWith(view.search()))
                        .count());
        if (!view.open().isEmpty()) {
            frame.put("open", open(view.open()));
        }
        return MAPPER.writeValueAsBytes(frame);
    }

    private Map<String, Object> totals() {
        int waited = 0;
        long waiters = 0;
        long longest = 0;
        for (SeenLock lock : reader.locks()) {
            waited += lock.waiters() > 0 ? 1 : 0;
            waiters += lock.waiters();
            longest = Math.max(longest, lock.waitNanos() == 0 ? 0 : since(lock, lock.waitNanos()));
        }
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("locks", reader.locks().size());
        totals.put("waited", waited);
        totals.put("waiters", waiters);
        totals.put("longestWaitMillis", longest);
        return totals;
    }

    private Map<String, Object> reading() {
        Map<String, Object> reading = new LinkedHashMap<>();
        reading.put("large", reader.sweep().isLarge());
        reading.put("passed", reader.sweep().passed());
        reading.put("names", reader.sweep().size());
        return reading;
    }

    private Map<String, Object> row(SeenLock lock) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", lock.name());
        row.put("holders", lock.holders());
        row.put("holder", who(lock.holder()));
        if (lock.heldNanos() >= 0) {
            row.put("heldMillis", since(lock, lock.heldNanos()));
        }
        row.put("waiters", lock.waiters());
        row.put("waitMillis", lock.waitNanos() == 0 ? 0 : since(lock, lock.waitNanos()));
        row.put("silent", lock.silent());
        row.put("readAgoMillis", (now - lock.readNanos()) / NANOS);
        return row;
    }

    /** Returns how long something has gone on that had gone on for so long when it was read. */
    private long since(SeenLock lock, long nanos) {
        return (nanos + now - lock.readNanos()) / NANOS;
    }

    private Map<String, Object> open(String name) {
        Inspection seen = reader.opened().get(name);
        Map<String, Object> open = new LinkedHashMap<>();
        open.put("name", name);
        open.put("known", seen != null);
        List<Map<String, Object>> claims = new ArrayList<>();
        SeenLock lock = reader.lock(name);
        if (lock != null) { // there may be no room for it among the rows
            open.put("row", row(lock));
        }
        if (seen != null) {
            seen.claims().forEach(claim -> claims.add(claim(claim, lock)));
        }
        open.put("claims", claims);
        return open;
    }

    private Map<String, Object> claim(Claim claim, @Nullable SeenLock lock) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("place", claim.place());
        object.put("who", who(Who.of(claim)));
        object.put("mode", claim.mode().name().toLowerCase(Locale.ROOT));
        object.put("permits", claim.permits());
        object.put("ageMillis", claim.age().toMillis());
        if (claim.held().isPresent()) {
            object.put("heldMillis", claim.held().get().toMillis());
        } else if (lock != null && claim.place() == 0 && claim.token() == lock.token() && lock.heldNanos() >= 0) {
            object.put("heldMillis", since(lock, lock.heldNanos()));
        }
        claim.heard().ifPresent(heard -> object.put("heardMillis", heard.toMillis()));
        object.put("remainingMillis", claim.remaining().toMillis());
        object.put("token", Long.toString(claim.token()));
        object.put("localWaiters", claim.localWaiters());
        object.put("silent", SeenLock.isSilent(claim));
        return object;
    }

    private static Map<String, Object> who(Who who) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("client", who.client());
        object.put("place", who.host().isEmpty() ? "" : who.host() + ":" + who.process());
        object.put("thread", who.thread());
        object.put("behalf", who.behalf());
        return object;
    }

    private static List<Map<String, Object>> ring(List<SeenRings.Link> ring) {
        return ring.stream()
                .map(link -> Map.<String, Object>of("who", who(link.who()), "waitsFor", link.waitsFor()))
                .toList();
    }

    private static Map<String, Object> finding(Finding finding) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
        object.put("subject", finding.subject());
        object.put("finding", UrlPasswords.mask(finding.finding()));
        object.put("cure", UrlPasswords.mask(finding.cure()));
        return object;
    }

    private static Map<String, Object> change(SeenChanges.Change change) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("number", change.number());
        object.put("atMillis", change.atMillis());
        object.put("kind", change.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        object.put("lock", change.lock());
        object.put("by", change.by());
        return object;
    }
}
