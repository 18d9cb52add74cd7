package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlVariablesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "${X}",
                "a${PW}b",
                "$1",
                "${",
                "}",
                "$",
                "\\",
                "\\${X}",
                "\\\\1",
                "a}b{c",
                "@/:?#%40"
            })
    void aValueIsPutInAsItIs(String value) {
        assertThat(UrlVariables.expand("redis://:${PW}@${HOST}/0", Map.of("PW", value, "HOST", "db", "X", "wrong")))
                .isEqualTo("redis://:" + value + "@db/0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "file:/a$b", "file:/a{b}c", "file:/$1/\\", "file:/${unfinished", "file:/$HOME"})
    void whatIsNoVariableStays(String url) {
        assertThat(UrlVariables.expand(url, Map.of("b", "wrong", "HOME", "wrong")))
                .isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_SUCH", "", "a b", "X:-default"})
    void aVariableThatIsNotSetIsNamed(String name) {
        assertThatThrownBy(() -> UrlVariables.expand("redis://:secret@${" + name + "}/", Map.of("X", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + name + "'", "not set", "export it")
                .hasMessageNotContaining("secret");
    }

    @Test
    void theEnvironmentIsThisProcesss() {
        assertThat(UrlVariables.expand("file:${PATH}")).isEqualTo("file:" + System.getenv("PATH"));
    }
}
