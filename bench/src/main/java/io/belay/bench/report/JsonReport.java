package io.belay.bench.report;

import io.belay.bench.lead.Round;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The report of a run as one JSON object, without fields that have no meaning. */
public final class JsonReport {
    private static final double THOUSANDTHS = 1_000;
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonReport() {}

    public static String of(Outcome outcome) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("store", outcome.store().title());
        object.put("machine", outcome.machine());
        object.put("rounds", outcome.rounds());
        object.put("seconds", outcome.seconds());
        object.put("results", outcome.results().stream().map(JsonReport::result).toList());
        return MAPPER.writeValueAsString(object) + "\n";
    }

    private static Map<String, Object> result(Result result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("case", result.task().name());
        object.put("library", result.library().name());
        if (!result.library().store().isEmpty()) {
            object.put("store", result.library().store());
        }
        for (Metric metric : Metric.values()) {
            put(object, metric.field(), result.spread(metric).median());
        }
        result.figures().forEach((name, value) -> put(object, name, value));
        if (result.violations() > 0) {
            object.put("violations", result.violations());
        }
        if (!result.note().isEmpty()) {
            object.put("note", result.note());
        }
        object.put("rounds", result.rounds().stream().map(JsonReport::round).toList());
        return object;
    }

    private static Map<String, Object> round(Round round) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (Metric metric : Metric.values()) {
            put(object, metric.field(), metric.of(round));
        }
        round.figures().forEach((name, value) -> put(object, name, value));
        return object;
    }

    private static void put(Map<String, Object> object, String name, double value) {
        if (!Double.isNaN(value)) {
            object.put(name, Math.round(value * THOUSANDTHS) / THOUSANDTHS);
        }
    }
}
