package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Documents of another version, and what is no document: refused, and left as they are. */
class StatesTest {
    private static final long LEASE = 30_000_000;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");
    private static final String OTHER_FORMAT =
            "what the database keeps of 'x' is in format 3, and this version of Belay"
                    + " knows format 2: run one version of Belay, or give these locks another table or collection";
    private static final String DAMAGED =
            "what the database keeps of 'x' is damaged: delete it once nobody holds that lock";

    private final MapDocuments documents = new MapDocuments();

    private static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }

    private static byte[] state(int format) {
        byte[] state = States.encode(States.State.NONE);
        state[0] = (byte) format;
        return state;
    }

    private static void assertRefused(CompletionStage<?> answer, String why) {
        assertThatThrownBy(answer.toCompletableFuture()::join)
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessage(why);
    }

    @Test
    void everyRequestToAnotherFormatIsRefused() {
        try (Store store = new DocumentStore("test", documents, 1, new Deaf())) {
            ClaimId id = ClaimId.of(1, 1);
            byte[] newer = state(3);
            documents.put("x", newer);
            for (Request request : List.of(
                    Request.Enter.of("x", id, ClaimSpec.whole(LEASE).withIfFree(true), 0, OWNER),
                    Request.Renew.of("x", id, 1, LEASE, 0, false),
                    Request.Yield.of("x", id, 1, LEASE, 0),
                    Request.Reweight.of("x", id, 1, 0, 1),
                    Request.Fix.of("x", id, 1, 0, LEASE),
                    Request.Describe.of("x", id, 1, OWNER),
                    Request.Skip.of("x", id, 1),
                    Request.Leave.of("x", id, false),
                    Request.Leave.of("x", id, true),
                    Request.Resize.of("x", 2),
                    Request.Evict.of("x"))) {
                assertRefused(store.send(request), OTHER_FORMAT);
            }
            assertRefused(store.inspect("x"), OTHER_FORMAT);
            assertThat(documents.get("x")).isEqualTo(newer);
        }
    }

    @Test
    void rubbishIsNotTakenForAFormat() {
        for (byte[] rubbish : new byte[][] {
            {},
            {1},
            {2},
            state(0),
            state(1 << 7),
            "rubbish".getBytes(StandardCharsets.UTF_8),
            new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 1},
            new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0, 1}
        }) {
            assertThatThrownBy(() -> States.decode("x", rubbish))
                    .isInstanceOf(StoreException.class)
                    .hasMessage(DAMAGED);
        }
        for (int format : new int[] {1, 2}) {
            assertThat(States.decode("x", state(format))).isEqualTo(States.State.NONE);
        }
    }
}
