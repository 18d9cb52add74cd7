package io.belay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({
        "2ms, PT0.002S",
        "1.5s, PT1.5S",
        "500us, PT0.0005S",
        "1m, PT1M",
        "2h, PT2H",
        "365d, PT8760H",
        ".5s, PT0.5S",
        "' 3 s ', PT3S"
    })
    void units(String text, Duration duration) {
        assertThat(converter.convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({
        "2, has no unit; write 2ms",
        "0, must be longer than zero",
        "-1, must be longer than zero",
        "-1s, must be longer than zero",
        "0ms, must be longer than zero",
        "0.0000001us, must be longer than zero",
        "366d, longer than 365 days",
        "999999999999d, longer than 365 days",
        "9999999999999d, is not a duration",
        "1x, unknown unit",
        "2MS, unknown unit",
        "s, is not a duration",
        ".s, is not a duration",
        "'', is not a duration",
        "1e3s, is not a duration",
        "NaN, is not a duration"
    })
    void mistakes(String text, String message) {
        assertThatThrownBy(() -> converter.convert(text)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"10, PT10S", "1.5, PT1.5S", ".5, PT0.5S", "1., PT1S", "0, PT0S", "2m, PT2M"})
    void whereFlockTakesSecondsTheyAreTakenInItsForms(String text, Duration duration) {
        DurationConverter seconds = new DurationConverter.Seconds();
        assertThat(seconds.convert(text)).isEqualTo(duration);
        assertThatThrownBy(() -> seconds.convert(".")).hasMessageContaining("is not a duration");
    }

    @Test
    void whereZeroMakesSenseItIsTaken() {
        assertThat(new DurationConverter.OrZero().convert("0ms")).isZero();
        assertThatThrownBy(() -> new DurationConverter.OrZero().convert("-1ms")).hasMessageContaining("negative");
    }
}
