package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A resource that only this client uses is not read each time, and what others do there is noticed all the same. */
class AloneTest {
    private static final long LEASE = 30_000_000;

    private final Map<String, Documents.Found> documents = new HashMap<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final Store one = store(1);
    private final Store two = store(2);

    private Store store(long client) {
        return new DocumentStore("test-" + client, new MapDocuments(), client, new Store.Listener() {
            @Override
            public void pushed(Push push) {}

            @Override
            public void reconnected() {}
        });
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private final class MapDocuments implements Documents {
        @Override
        public Session connect() {
            return new MapSession();
        }

        @Override
        public boolean isFar() {
            return true;
        }

        @Override
        public boolean listen(long client, Bell bell) {
            return false;
        }

        @Override
        public void close() {}
    }

    private final class MapSession implements Documents.Session {
        @Override
        public Documents.Reading read(Collection<String> resources) {
            reads.incrementAndGet();
            synchronized (documents) {
                Map<String, Documents.Found> found = new HashMap<>(documents);
                found.keySet().retainAll(resources);
                return new Documents.Reading(now(), found);
            }
        }

        private long now() {
            return System.currentTimeMillis() * 1000;
        }

        @Override
        public Set<String> write(List<Documents.Change> changes, long notAfter) {
            Set<String> written = new HashSet<>();
            synchronized (documents) {
                for (Documents.Change change : changes) {
                    Documents.Found found = documents.get(change.resource());
                    if ((found == null ? 0 : found.version()) == change.before() && now() <= notAfter) {
                        documents.put(change.resource(), new Documents.Found(change.version(), change.state()));
                        written.add(change.resource());
                    } else {
                        refused.incrementAndGet();
                    }
                }
            }
            return written;
        }

        @Override
        public void ring(Collection<Documents.Call> calls) {}

        @Override
        public void sweep() {}

        @Override
        public void close() {}
    }

    private static Answer send(Store store, Request request) throws Exception {
        return store.send(request).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static Answer enter(Store store, long client, long number) throws Exception {
        return send(
                store,
                new Request.Enter(
                        "x",
                        new ClaimId(client, number),
                        Resource.WHOLE,
                        Resource.WHOLE,
                        LEASE,
                        0,
                        true,
                        0,
                        false,
                        new Owner("client", "host", 1, "thread")));
    }

    private static Answer leave(Store store, long client, long number) throws Exception {
        return send(store, new Request.Leave("x", new ClaimId(client, number), false));
    }

    @Test
    void whoIsAloneReadsOnceASecond() throws Exception {
        long begun = System.nanoTime();
        long sequence = 0;
        for (int i = 1; i <= 200; i++) {
            Answer entered = enter(one, 1, i);
            assertThat(entered.state()).isEqualTo(State.GRANTED);
            assertThat(entered.sequence()).isGreaterThan(sequence);
            sequence = entered.sequence();
            assertThat(leave(one, 1, i).state()).isEqualTo(State.LEFT);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertThat(reads.get()).isLessThanOrEqualTo((int) seconds + 1);
        assertThat(refused).hasValue(0);
    }

    @Test
    void whatAnotherHasDoneMeanwhileIsNoticed() throws Exception {
        long sequence = 0;
        for (int i = 1; i <= 20; i += 2) {
            sequence = grantedThenLeft(one, 1, i, sequence);
            Answer other = enter(two, 2, i);
            assertThat(other.state()).isEqualTo(State.GRANTED);
            assertThat(other.sequence()).isGreaterThan(sequence);
            sequence = other.sequence();
            assertThat(enter(one, 1, i + 1).state()).isEqualTo(State.BUSY);
            assertThat(leave(two, 2, i).state()).isEqualTo(State.LEFT);
        }
        assertThat(refused.get()).isPositive();
    }

    private static long grantedThenLeft(Store store, long client, long number, long before) throws Exception {
        Answer entered = enter(store, client, number);
        assertThat(entered.state()).isEqualTo(State.GRANTED);
        assertThat(entered.sequence()).isGreaterThan(before);
        assertThat(leave(store, client, number).state()).isEqualTo(State.LEFT);
        return entered.sequence();
    }

    /** As a backup does that was restored, or somebody who empties the table. */
    @Test
    void whatHasGoneMeanwhileIsNoticed() throws Exception {
        long sequence = grantedThenLeft(one, 1, 1, 0);
        synchronized (documents) {
            documents.clear();
        }
        assertThat(enter(one, 1, 2).state()).isEqualTo(State.GRANTED);
        assertThat(refused).hasValue(1);
        assertThat(enter(two, 2, 1).state()).isEqualTo(State.BUSY);
        assertThat(sequence).isPositive();
    }
}
