package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
    @Test
    void whatOthersWroteSteersNoTerminal() {
        assertThat(OneLine.printable("a\u001b[2Jb\n\u00e9\u009b")).isEqualTo("a?[2Jb?\u00e9?");
    }

    @Test
    void oneNameDoesNotLookLikeAnother() {
        assertThat(OneLine.printable("jobs:\u202etropxe")).isEqualTo("jobs:?tropxe");
        assertThat(OneLine.printable("ex\u200bport \ud83d\ude00")).isEqualTo("ex?port \ud83d\ude00");
        assertThat(OneLine.printable("a\u00adb\ufe0fc\u3164d\udb40\udc41e")).isEqualTo("a?b?c?d?e");
    }
}
