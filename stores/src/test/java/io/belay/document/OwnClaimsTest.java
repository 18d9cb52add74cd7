package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import org.junit.jupiter.api.Test;

/** What a client is told of a claim that is no longer there. */
class OwnClaimsTest {
    private static final long NOW = 1_800_000_000_000_000L;
    private static final long LEASE = 10_000_000;
    private static final ClaimId OWN = ClaimId.of(1, 1);

    private final OwnClaims own = new OwnClaims("x", 1);
    private final Resource held = enter(Resource.UNUSED, 1, NOW);

    private Resource enter(Resource before, long client, long now) {
        Step step = Request.Enter.of(
                        "x", ClaimId.of(client, 1), ClaimSpec.whole(LEASE), 0, Owner.of("client", "host", 1, "thread"))
                .applyTo(before, now);
        own.told(ClaimId.of(client, 1), step.answer());
        return step.next();
    }

    private Push news(Resource state, long now) {
        assertThat(own.news(held, NOW, false)).isEmpty();
        Push push = own.news(state, now, false).get(0);
        assertThat(push.id()).isEqualTo(OWN);
        assertThat(push.granted()).isFalse();
        return push;
    }

    @Test
    void whoForcesItOutIsNotTheClock() {
        Resource forced = Request.Evict.of("x").applyTo(held, NOW + 5_000_000).next();
        assertThat(news(enter(forced, 2, NOW + 6_000_000), NOW + 7_000_000).deadline())
                .isZero();
    }

    @Test
    void whatTheDatabaseHasForgottenWasNotTakenByForce() {
        Resource forced = Request.Evict.of("x").applyTo(held, NOW + 5_000_000).next();
        assertThat(news(forced, NOW + 6_000_000).server()).isZero();
        enter(Resource.UNUSED, 1, NOW);
        assertThat(own.news(Resource.UNUSED, NOW + 6_000_000, false))
                .extracting(Push::server)
                .containsExactly(-1L);
    }

    @Test
    void aClockThatWasPutAheadEndsIt() {
        assertThat(news(enter(held, 2, NOW + LEASE), NOW + LEASE).deadline()).isEqualTo(NOW + LEASE);
    }

    /** As with SQLite, where each host has its own. */
    @Test
    void theClockOfAnotherHostEndsIt() {
        assertThat(news(enter(held, 2, NOW + 2 * LEASE), NOW + 1_000_000).deadline())
                .isEqualTo(NOW + LEASE);
    }
}
