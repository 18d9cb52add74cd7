package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Fuzz;
import io.belay.support.UrlVariables;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random variables in URLs, and names: whatever they are, they are taken, or refused in one line that holds no password.
 * A round that fails names its seed; {@code -Dbelay.seed} gives it again, and {@code -Dbelay.fuzz=100} runs a hundred times as many.
 */
class FuzzTest {
    /** With a character that neither hosts nor schemes have, since a part of a URL may look like one of these. */
    static final String SECRET = "geh!eim";

    private static void assertOneLine(Throwable e) {
        assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception").hasSizeLessThan(2000);
        assertThat(e.getMessage().chars().filter(Character::isISOControl)).isEmpty();
        for (Throwable t = e; t != null; t = t.getCause()) {
            assertThat(t.toString()).doesNotContain(SECRET);
        }
    }

    @Test
    void variables() {
        Fuzz.rounds(10_000, random -> {
            String url = Fuzz.text(random, "redis://${USER}:${PW}@host/${PATH}?a=${B}&c=$D");
            try {
                UrlVariables.expand(url, Map.of("USER", "u", "PW", "$1\\${PW}geh!eim", "PATH", "", "B", "}${"));
            } catch (IllegalArgumentException e) {
                assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
                assertOneLine(e);
            }
        });
    }

    private static String name(Random random) {
        String name = Fuzz.text(random, "stock:iphone/größe 😀");
        return random.nextInt(50) == 0 ? name.repeat(random.nextInt(40)) : name;
    }

    @Test
    void names() {
        try (Belay belay = Belay.connect("memory:fuzz")) {
            Fuzz.rounds(2_000, random -> {
                String name = name(random);
                try {
                    // A try would end without an answer where the machine keeps this thread from the processor.
                    try (Lease lease = belay.namespace(name(random)).lock(name).acquire()) {
                        assertThat(lease.isHeld()).isTrue();
                    }
                    belay.semaphore(name + "-s", 2).permits(2).acquire().close();
                    assertThat(belay.admin().inspect(name).claims()).isEmpty();
                    belay.reentrantLock(name).lock();
                    belay.reentrantLock(name).unlock();
                } catch (IllegalArgumentException e) {
                    assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
                    assertOneLine(e);
                }
            });
        }
    }
}
