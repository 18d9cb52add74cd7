package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {
    /** A longer one leaves a row behind each time that it is printed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 5_000, 1_234_567, FlashSaleCommand.MOST_UNITS})
    void theLineFitsATerminal(int orders) {
        String begin = Progress.line(orders, 0, 0, 0, 0);
        assertThat(begin).startsWith("[ ").contains("] 0 of " + orders + ": 0 sold, 0 sold out, 0/s");
        String end = Progress.line(orders, orders, orders, orders, 999_999_999);
        assertThat(end.indexOf(']')).isEqualTo(begin.indexOf(']')).isGreaterThan(5);
        assertThat(end).hasSizeLessThanOrEqualTo(79);
    }

    @Test
    void inANarrowTerminalItDoesNotWrap() {
        assertThat(Progress.inPlace("[##] 1 of 2")).isEqualTo("\r\u001b[?7l[##] 1 of 2\u001b[K\u001b[?7h");
    }
}
