package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.StoreHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** The health of a client's store, as its last requests have shown it: nothing is asked for it. */
final class BelayHealthIndicator extends AbstractHealthIndicator {
    private final Belay belay;

    BelayHealthIndicator(Belay belay) {
        super("The health of the store of locks cannot be told");
        this.belay = belay;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        StoreHealth health = belay.admin().health();
        if (health.answering()) {
            builder.up();
        } else {
            builder.down().withDetail("failingMillis", health.failing().toMillis());
            health.failure().ifPresent(why -> builder.withDetail("failure", why));
        }
        health.lastSlow()
                .ifPresent(
                        slow -> builder.withDetail("lastSlowAnswer", slow.at().toString())
                                .withDetail("lastSlowAnswerMillis", slow.took().toMillis()));
    }
}
