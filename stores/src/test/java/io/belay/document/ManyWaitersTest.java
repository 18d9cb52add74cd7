package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many clients wait for one lock, and nobody calls them: what others behind them do is no news that they look for. */
class ManyWaitersTest {
    private static final int CLIENTS = 40;
    /** How often a second each may look. */
    private static final int LOOKS = 20;

    /** Longer than the test, which has nobody renew what is held. */
    private static final long LEASE = TimeUnit.HOURS.toMicros(1);

    private static final long WATCHED = TimeUnit.SECONDS.toNanos(2);

    private final MapDocuments documents = new MapDocuments();
    private final List<Store> stores = new ArrayList<>();
    private final Map<Long, CompletableFuture<Push>> grants = new ConcurrentHashMap<>();

    private Store open(long client) {
        grants.put(client, new CompletableFuture<>());
        Store store = new DocumentStore("test-" + client, documents, client, new Store.Listener() {
            @Override
            public void pushed(Push push) {
                grants.get(push.id().client()).complete(push);
            }

            @Override
            public void reconnected() {}
        });
        stores.add(store);
        return store;
    }

    @AfterEach
    void close() {
        stores.parallelStream().forEach(Store::close);
    }

    private Answer send(long client, Request request) throws Exception {
        return stores.get((int) client - 1).send(request).toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static ClaimId id(long client) {
        return ClaimId.of(client, 1);
    }

    private long enter(long client) throws Exception {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return send(client, Request.Enter.of("x", id(client), ClaimSpec.whole(LEASE), 0, owner))
                .sequence();
    }

    @Test
    void lookSeldomAndAreServedInTheirOrder() throws Exception {
        List<Long> sequences = new ArrayList<>();
        for (long client = 1; client <= CLIENTS; client++) {
            open(client);
            sequences.add(enter(client));
        }
        long begin = System.nanoTime();
        int readsBefore = documents.reads.get();
        int renewed = 0;
        while (System.nanoTime() - begin < WATCHED) {
            long client = 2 + renewed++ % (CLIENTS - 1);
            long sequence = sequences.get((int) client - 1);
            assertThat(send(client, Request.Renew.of("x", id(client), sequence, LEASE, 0, false))
                            .state())
                    .isEqualTo(State.WAITING);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        int schedule = documents.reads.get() - readsBefore - renewed - documents.refused.get();
        assertThat(schedule / seconds).isLessThan(LOOKS * CLIENTS / 2.0);
        for (long client : LongStream.rangeClosed(1, 5).toArray()) {
            send(client, Request.Leave.of("x", id(client), false));
            assertThat(grants.get(client + 1)
                            .get(Pace.seconds(), TimeUnit.SECONDS)
                            .granted())
                    .isTrue();
        }
    }
}
