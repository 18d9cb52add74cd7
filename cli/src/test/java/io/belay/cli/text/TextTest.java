package io.belay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void barsShowProportions() {
        assertThat(Text.bar(0, 10, 4)).isEqualTo("    ");
        assertThat(Text.bar(1, 1000, 4)).isEqualTo("#   ");
        assertThat(Text.bar(5, 10, 4)).isEqualTo("##  ");
        assertThat(Text.bar(10, 10, 4)).isEqualTo("####");
        assertThat(Text.bar(0, 0, 4)).isEqualTo("    ");
    }

    @Test
    void oneIsNotSeveral() {
        assertThat(Text.count(1, "process", "processes")).isEqualTo("1 process");
        assertThat(Text.count(0, "process", "processes")).isEqualTo("0 processes");
        assertThat(Text.count(2, "process", "processes")).isEqualTo("2 processes");
    }

    @Test
    void columnsAreAligned() {
        assertThat(Text.table(List.of(List.of("a", "bb", ""), List.of("ccc", "d", "e"))))
                .isEqualTo("a    bb\nccc  d   e");
    }

    @Test
    void longTextsAreWrappedBetweenWords() {
        assertThat(Text.wrap("aa bb  cc", 7, "  ")).isEqualTo("  aa bb\n  cc");
        assertThat(Text.wrap("a longer-than-the-line b", 8, " ")).isEqualTo(" a\n longer-than-the-line\n b");
        assertThat(Text.wrap("", 8, " ")).isEqualTo(" ");
    }
}
