package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.servers.NullProbe;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        try (Belay belay = Belay.connect("memory:nulls");
                GenericApplicationContext context = new GenericApplicationContext()) {
            DefaultCandidate candidate = new DefaultCandidate("one", "role");
            Runnable nothing = () -> {};
            NullProbe probe = new NullProbe(
                    Set.of(),
                    List.of(
                            belay,
                            "key",
                            Duration.ofSeconds(1),
                            LockOptions.defaults(),
                            candidate,
                            context,
                            new DefaultLeaderEventPublisher(context),
                            nothing,
                            BelayLockRegistry.of(belay),
                            new BelayLeaderInitiator(belay, candidate)));
            assertThat(probe.complaintsOf(
                            List.of(BelayLockRegistry.class, BelayLeaderInitiator.class, LeaderTerm.class)))
                    .isEmpty();
        }
    }
}
