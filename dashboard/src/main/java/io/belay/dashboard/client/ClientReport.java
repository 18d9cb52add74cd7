package io.belay.dashboard.client;

import io.belay.Belay;
import io.belay.LockStatistics;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.Statistics;
import io.belay.dashboard.client.RecentEvents.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a client tells of itself, as JSON: counts that only grow since it was connected, what there is now, and what it has told last.
 * Whoever asks makes rates and percentiles of it, of two answers. Asks the store nothing. Thread-safe.
 */
public final class ClientReport {
    /** The version of what is told: one that a reader does not know has another. */
    static final int FORMAT = 1;

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final Belay belay;
    private final RecentEvents diary;

    /** Makes what tells of a client. */
    public ClientReport(Belay belay, RecentEvents diary) {
        this.belay = belay;
        this.diary = diary;
    }

    /** Returns what it tells at this moment. */
    public JsonNode now() {
        Statistics statistics = belay.admin().statistics();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("belay", FORMAT);
        told.put("client", diary.client());
        told.put("nanos", System.nanoTime());
        told.put("instance", diary.instance());
        told.put("answering", belay.admin().health().answering());
        long holding = 0;
        long waiting = 0;
        long acquired = 0;
        long gaveUp = 0;
        SortedMap<Long, Long> within = new TreeMap<>();
        Map<String, Long> lost = new TreeMap<>();
        for (LockStatistics family : statistics.locks().values()) {
            holding += family.now().holding();
            waiting += family.now().waiting();
            for (Map.Entry<WaitEnd, Long> one : family.waits().counts().entrySet()) {
                acquired += one.getKey() == WaitEnd.ACQUIRED ? one.getValue() : 0;
                gaveUp += one.getKey() == WaitEnd.ACQUIRED ? 0 : one.getValue();
            }
            for (Map.Entry<Duration, Long> one : family.waits().acquiredWithin().entrySet()) {
                within.merge(one.getKey().toMillis(), one.getValue(), Long::sum);
            }
            for (Map.Entry<LossReason, Long> one : family.holds().lost().entrySet()) {
                lost.merge(one.getKey().name().toLowerCase(Locale.ROOT), one.getValue(), Long::sum);
            }
        }
        told.put("holding", holding);
        told.put("waiting", waiting);
        told.put("acquired", acquired);
        told.put("gaveUp", gaveUp);
        told.put("withinMillis", within);
        told.put("lost", lost);
        told.put("outages", statistics.outages());
        told.put(
                "failedRequests",
                statistics.requests().values().stream()
                        .mapToLong(Statistics.Requests::failed)
                        .sum());
        told.put("recentLosses", entries(Kind.LOSS));
        told.put("recentOutages", entries(Kind.OUTAGE));
        told.put("recentSlow", entries(Kind.SLOW));
        return MAPPER.valueToTree(told);
    }

    private List<Map<String, Object>> entries(Kind kind) {
        return diary.newest(kind).stream()
                .map(entry -> Map.<String, Object>of(
                        "atMillis", entry.atMillis(),
                        "lock", entry.lock(),
                        "what", entry.what(),
                        "why", entry.why(),
                        "lastedMillis", entry.lastedMillis()))
                .toList();
    }
}
