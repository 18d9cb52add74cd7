package io.belay.dashboard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** A client's text is a stranger's: it is taken as text, up to a length, and nothing is taken that is not known. */
class ClientSourceTest {
    private static final long SECOND = 1_000_000_000L;

    private final ClientSource source = new ClientSource("http://shop/client");

    private void told(String json, int second) {
        source.told(
                JsonMapper.shared()
                        .readTree(json.replaceFirst(
                                "\\{", "{\"nanos\":" + second * SECOND + (json.equals("{}") ? "" : ","))),
                second * 1_000L);
    }

    private static String counts(String instance, int acquired) {
        return "{\"belay\":1,\"instance\":\"" + instance + "\",\"acquired\":" + acquired + ",\"withinMillis\":{\"1\":"
                + acquired + "}}";
    }

    @Test
    void whatIsNoClientIsSaidToBeNone() {
        for (String none :
                List.of("{\"status\":\"UP\"}", "[]", "7", "{\"belay\":1}", "{\"belay\":1,\"withinMillis\":7}")) {
            assertThatThrownBy(() -> told(none, 1)).as(none).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> told("{}", 1)).hasMessageContaining("no client of Belay");
        assertThatThrownBy(() -> told("{\"belay\":2,\"withinMillis\":{}}", 1)).hasMessageContaining("another version");
        assertThatThrownBy(() -> told("{\"belay\":1,\"withinMillis\":{\"x\":1}}", 1))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void whatAHostileClientTellsIsCut() {
        told(
                "{\"belay\":1,\"client\":\"<img onerror=x>" + "y".repeat(2_000) + "\""
                        + ",\"withinMillis\":{\"1\":\"many\"},\"acquired\":{},\"evil\":\"evil\",\"recentLosses\":["
                        + "{\"lock\":7}," + "{},".repeat(100) + "5],\"lost\":{\"<b>\":1}}",
                1);
        Map<String, Object> shown = source.shown();
        assertThat((String) shown.get("client")).startsWith("<img onerror=x>").hasSize(1_000);
        assertThat((List<?>) shown.get("recentLosses")).hasSize(20);
        assertThat(shown).containsEntry("acquired", 0L).doesNotContainKey("evil");
    }

    @Test
    void aClientThatWasStartedAnewHasNoRateOfBothStarts() {
        told(counts("a", 100), 1);
        told(counts("a", 110), 2);
        assertThat(source.shown()).containsEntry("acquiredPerSecond", 10.0).containsEntry("p50Millis", 1L);
        told(counts("b", 5), 3);
        assertThat(source.shown()).doesNotContainKeys("acquiredPerSecond", "p50Millis", "p99Millis");
    }

    @Test
    void oneThatIsAwaySaysSinceWhenAndBeginsAnew() {
        source.away("nobody listens there", 500);
        assertThat(source.shown()).containsEntry("awaySinceMillis", 500L).containsEntry("known", false);
        told(counts("a", 1), 1);
        told(counts("a", 2), 2);
        source.away("no answer", 9_000);
        source.away("nobody listens there", 10_000);
        assertThat(source.shown())
                .containsEntry("awaySinceMillis", 2_000L)
                .containsEntry("awayWhy", "nobody listens there")
                .doesNotContainKey("acquiredPerSecond");
        told(counts("a", 1_000), 20);
        assertThat(source.shown()).doesNotContainKeys("awaySinceMillis", "acquiredPerSecond");
    }

    @Test
    void whatNobodyAskedForIsNoOutage() {
        told(counts("a", 1), 1);
        source.resume(7, 60_000);
        assertThat(source.isNew(7)).as("what was answered before").isFalse();
        source.away("no answer", 60_500);
        assertThat(source.shown()).containsEntry("awaySinceMillis", 60_000L);
        source.resume(8, 90_000);
        assertThat(source.shown()).containsEntry("awaySinceMillis", 90_000L);
        source.away("no answer", 90_500);
        assertThat(source.shown()).containsEntry("awaySinceMillis", 90_000L);
    }
}
