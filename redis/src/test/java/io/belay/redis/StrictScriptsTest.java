package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ProviderManner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every script, by the strictest rule of all providers: keys as KEYS[1], nothing published, no number from a server's Lua. */
class StrictScriptsTest {
    private static final ScriptForm STRICT = new ScriptForm(false, Publishing.OUTSIDE);

    private static Stream<Map.Entry<String, Scripts.Script>> strict() {
        return Stream.concat(
                new Scripts("belay:", STRICT).ofOneKey().entrySet().stream(),
                Stream.of(Map.entry("race", Scripts.Script.of(Scripts.file("race")))));
    }

    private static String text(Scripts.Script script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("strict")
    void namesItsKeyInOneWayAndPublishesNothing(Map.Entry<String, Scripts.Script> script) {
        String text = text(script.getValue());
        assertThat(ProviderManner.isLiteral(text)).as("%s", text).isTrue();
        assertThat(text).doesNotContain("PUBLISH").doesNotStartWith("#!").doesNotContain("@");
    }

    /** The other forms say the same: all that differs is how they begin, how they publish and how they name the key. */
    @Test
    void allScriptsAreHeld() {
        assertThat(new Scripts("belay:", STRICT).ofOneKey().keySet())
                .containsExactlyInAnyOrder(
                        "check",
                        "inspect",
                        "enter",
                        "fast-enter",
                        "leave",
                        "fast-leave",
                        "renew",
                        "yield",
                        "reweight",
                        "fix",
                        "describe",
                        "skip",
                        "resize",
                        "evict");
    }

    @Test
    void theRuleFindsWhatBreaksIt() {
        for (String broken : List.of(
                "redis.call('GET', key)",
                "local key = KEYS[1] redis.call('GET', KEYS[1])",
                "redis.call('SET', KEYS[k], 'x')",
                "redis.call('SET', KEYS[1], KEYS[1] .. 'x')",
                "redis.call(what, KEYS[1])")) {
            assertThat(ProviderManner.isLiteral(broken)).as("%s", broken).isFalse();
        }
        assertThat(ProviderManner.isLiteral("redis.call('GET', KEYS[1]) -- KEYS[k]"))
                .isTrue();
    }
}
