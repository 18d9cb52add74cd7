package io.belay.internal.claim;

import io.belay.spi.Request;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a client's requests to its store, by kind. Thread-safe. */
final class RequestCounts {
    private static final ClassValue<String> KINDS = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return type.getSimpleName().toLowerCase(java.util.Locale.ROOT);
        }
    };

    private final Map<String, LongAdder> answered = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> failed = new ConcurrentHashMap<>();

    static String kind(Request request) {
        return KINDS.get(request.getClass());
    }

    /** Counts what becomes of a request, and returns it. */
    <T extends CompletionStage<?>> T count(String kind, T request) {
        request.whenComplete((answer, error) -> (error == null ? answered : failed)
                .computeIfAbsent(kind, key -> new LongAdder())
                .increment());
        return request;
    }

    Map<String, Long> answered() {
        return sums(answered);
    }

    Map<String, Long> failed() {
        return sums(failed);
    }

    private static Map<String, Long> sums(Map<String, LongAdder> adders) {
        Map<String, Long> sums = new TreeMap<>();
        adders.forEach((kind, adder) -> sums.put(kind, adder.sum()));
        return sums;
    }
}
