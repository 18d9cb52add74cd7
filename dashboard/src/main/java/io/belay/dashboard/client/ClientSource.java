package io.belay.dashboard.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What one client has told, and since when it does not answer. Of what comes from an address only what is known is taken, by its type
 * and up to a length. For one thread.
 */
final class ClientSource {
    private static final int MOST_ENTRIES = 20;
    private static final int LONGEST_TEXT = 1_000;
    private static final double MEDIAN = 0.5;
    private static final double HIGH = 0.99;

    private final String address;
    private final CountWindow window = new CountWindow();
    private JsonNode last;
    private String instance = "";
    private long heardMillis;
    private long takenNanos;
    private long awaySinceMillis;
    private long resumedMillis;
    private String awayWhy = "";

    /**
     * Makes one that has told nothing yet.
     *
     * @param address where it is asked; empty for the client of this application
     */
    ClientSource(String address) {
        this.address = address;
        last = MissingNode.getInstance();
    }

    /** Returns whether an answer of that moment was not taken yet. */
    boolean isNew(long nanos) {
        boolean isNew = nanos != takenNanos;
        takenNanos = nanos;
        return isNew;
    }

    /** Says that it was not asked for a while: an answer of that moment is out of date, and it is away for as long as it is asked. */
    void resume(long nanos, long millis) {
        takenNanos = nanos;
        resumedMillis = millis;
        if (awaySinceMillis > 0) {
            awaySinceMillis = millis;
        }
    }

    /** Takes what it has told, by its own clock, as answers are under way for different times; throws {@link IllegalArgumentException} if that is not what a client tells. */
    void told(JsonNode told, long millis) {
        if (told.path("belay").asInt(0) != ClientReport.FORMAT
                || !told.path("withinMillis").isObject()) {
            throw new IllegalArgumentException(
                    told.path("belay").isInt()
                            ? "a client of another version answers, and what it tells is not known here"
                            : "what answers there is no client of Belay: its page's address ends in /client");
        }
        String now = text(told, "instance");
        if (!now.equals(instance) || awaySinceMillis > 0) {
            window.clear();
        }
        instance = now;
        awaySinceMillis = 0;
        heardMillis = millis;
        last = told;
        window.add(new CountWindow.Counts(
                count(told, "nanos"), count(told, "acquired"), count(told, "failedRequests"), within(told)));
    }

    /** Says that it has not answered. */
    void away(String why, long millis) {
        if (awaySinceMillis == 0) {
            awaySinceMillis = heardMillis > 0 ? Math.max(heardMillis, resumedMillis) : millis;
        }
        awayWhy = why;
    }

    /** Returns what a page shows of it. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("address", address);
        if (awaySinceMillis > 0) {
            shown.put("awaySinceMillis", awaySinceMillis);
            shown.put("awayWhy", awayWhy);
            shown.put("everHeard", heardMillis > 0);
        }
        shown.put("known", heardMillis > 0);
        if (heardMillis == 0) {
            return shown;
        }
        shown.put("client", text(last, "client"));
        shown.put("answering", last.path("answering").asBoolean(false));
        for (String name : List.of("holding", "waiting", "acquired", "gaveUp", "outages")) {
            shown.put(name, count(last, name));
        }
        Map<String, Long> lost = new TreeMap<>();
        last.path("lost").properties().stream()
                .limit(MOST_ENTRIES)
                .forEach(one -> lost.put(cut(one.getKey()), one.getValue().asLong(0)));
        shown.put("lost", lost);
        for (String name : List.of("recentLosses", "recentOutages", "recentSlow")) {
            shown.put(name, entries(last.path(name)));
        }
        if (awaySinceMillis == 0) {
            window.acquiredPerSecond().ifPresent(rate -> shown.put("acquiredPerSecond", rate));
            window.failedPerSecond().ifPresent(rate -> shown.put("failedPerSecond", rate));
            putPercentile(shown, "p50", MEDIAN);
            putPercentile(shown, "p99", HIGH);
        }
        return shown;
    }

    private void putPercentile(Map<String, Object> shown, String name, double part) {
        window.percentileMillis(part).ifPresent(millis -> {
            shown.put(name + "Millis", millis == Long.MAX_VALUE ? longestStep() : millis);
            shown.put(name + "Over", millis == Long.MAX_VALUE);
        });
    }

    private long longestStep() {
        SortedMap<Long, Long> steps = within(last);
        return steps.isEmpty() ? 0 : steps.lastKey();
    }

    private static SortedMap<Long, Long> within(JsonNode told) {
        SortedMap<Long, Long> within = new TreeMap<>();
        told.path("withinMillis").properties().stream().limit(100).forEach(step -> {
            try {
                within.put(Long.parseLong(step.getKey()), step.getValue().asLong(0));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("what is told there of waits cannot be read", e);
            }
        });
        return within;
    }

    private static List<Map<String, Object>> entries(JsonNode told) {
        List<Map<String, Object>> entries = new ArrayList<>();
        for (JsonNode one : told) {
            if (entries.size() < MOST_ENTRIES) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("atMillis", count(one, "atMillis"));
                entry.put("lock", text(one, "lock"));
                entry.put("what", text(one, "what"));
                entry.put("why", text(one, "why"));
                entry.put("lastedMillis", count(one, "lastedMillis"));
                entries.add(entry);
            }
        }
        return entries;
    }

    private static long count(JsonNode told, String name) {
        return told.path(name).asLong(0);
    }

    private static String text(JsonNode told, String name) {
        return cut(told.path(name).asString(""));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }
}
