package io.belay.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What was given out holds for as long as the page says. */
class SecretsTest {
    private long nanos;
    private final Secrets secrets = new Secrets(() -> nanos);

    @Test
    void oneHoldsForTwelveHours() {
        String secret = secrets.make();
        nanos = Duration.ofHours(12).toNanos() - 1;
        assertThat(secrets.has(secret)).isTrue();
        nanos++;
        assertThat(secrets.has(secret)).isFalse();
    }
}
