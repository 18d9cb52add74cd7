package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The names beside those of users. */
class NameRulesTest {
    private static final List<String> PURPOSES = List.of("count", "observers", "forced");

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aNameThatFitsIsWhatItAlwaysWas() {
        assertThat(NameRules.hidden("l", "count")).isEqualTo("l\u0001count");
        String longest = "\u00fc".repeat(253);
        assertThat(NameRules.hidden(longest, "count")).isEqualTo(longest + "\u0001count");
        assertThat(bytes(longest + "\u0001count")).hasSize(512);
    }

    @Test
    void aLongerOneIsCutAndStaysHiddenAndOneOfItsOwn() {
        String same = "x".repeat(506);
        Set<String> all = new HashSet<>();
        for (String name : List.of(
                same + "y",
                same + "z",
                same + "xxxxxy",
                same + "xxxxxz",
                "\u00fc".repeat(256),
                "\ud83d\ude00".repeat(128),
                "x" + "\ud83d\ude00".repeat(127),
                "xx" + "\ud83d\ude00".repeat(127),
                "xxx" + "\ud83d\ude00".repeat(127))) {
            for (String purpose : PURPOSES) {
                String hidden = NameRules.hidden(name, purpose);
                assertThat(hidden).startsWith(name.substring(0, 100)).endsWith('\u0001' + purpose);
                assertThat(bytes(hidden).length).isLessThanOrEqualTo(512);
                assertThat(new String(bytes(hidden), StandardCharsets.UTF_8))
                        .as("no pair is cut")
                        .isEqualTo(hidden);
                assertThat(NameRules.isVisible(hidden)).isFalse();
                assertThat(all.add(hidden)).as("of its own").isTrue();
            }
        }
    }

    /** Clients of other versions, on other machines, must come to the same. */
    @Test
    void aCutNameIsTheSameEverywhere() {
        assertThat(NameRules.hidden("x".repeat(512), "count"))
                .isEqualTo("x".repeat(441) + "\u0001"
                        + "64164443bb63e338ef1cfdb12a57117cd1212270cc935a798f6e8a665cdf4659\u0001count");
    }
}
