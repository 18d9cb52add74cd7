package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.NullProbe;
import io.belay.servers.Pace;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What goes wrong as members are opened is told to who connects. */
class MemberConnectorTest {
    private static CompletableFuture<Void> connect(MemberConnector.Opener opener) {
        QuorumUrl url =
                new QuorumUrl(List.of("fake:1", "fake:2", "fake:3"), Duration.ofSeconds(3), Duration.ofMillis(200));
        Quorum quorum = new Quorum(1, url, new SimClock(), new Random(7), new Loop());
        QuorumStore store = new QuorumStore(quorum, NullProbe.stub(Store.Listener.class));
        return CompletableFuture.runAsync(new MemberConnector(quorum, store, opener)::await)
                .orTimeout(Pace.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void aMissingClassIsToldAsAStoreThatCannotBeUsed() {
        CompletableFuture<Void> connected = connect((member, told) -> {
            throw new NoClassDefFoundError("io/lettuce/core/RedisClient");
        });
        assertThatThrownBy(connected::join).cause().isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.isTemporary()).isFalse();
            assertThat(e)
                    .hasMessageContaining("of 3: it cannot be opened: ")
                    .hasMessageContaining("NoClassDefFoundError: io/lettuce/core/RedisClient");
        });
    }
}
