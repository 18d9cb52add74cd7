package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times in the URLs of stores. */
class UrlDurationTest {
    @Test
    void aNumberAndItsUnitAreATime() {
        assertThat(UrlDuration.parse("500ms")).hasValue(Duration.ofMillis(500));
        assertThat(UrlDuration.parse("2s")).hasValue(Duration.ofSeconds(2));
        assertThat(UrlDuration.parse("1m")).hasValue(Duration.ofMinutes(1));
        assertThat(UrlDuration.parse("999999999m")).hasValue(Duration.ofMinutes(999_999_999));
    }

    @Test
    void whatElseThereIsIsNone() {
        for (String text : List.of("", "5", "s", "-1s", "1.5s", "1h", "2S", " 2s", "2s ", "1000000000ms", "٣s")) {
            assertThat(UrlDuration.parse(text)).as(text).isEmpty();
        }
    }
}
