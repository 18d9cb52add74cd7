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
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client whose answers take their time, beside others who change the same resource all the while. */
class FarClientTest {
    private static final int PERMITS = 8;
    private static final long LEASE = TimeUnit.SECONDS.toMicros(30);
    private static final long FAR = 9;
    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(10);

    private final MapDocuments documents = new MapDocuments();
    private final List<Store> stores = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger near = new AtomicInteger();
    private volatile boolean over;

    /** The same documents from afar: each answer takes that long. */
    private record FarDocuments(Documents all) implements Documents {
        @Override
        public Session connect() {
            return new FarSession(all.connect());
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

    private record FarSession(Documents.Session session) implements Documents.Session {
        private static <T> T late(T answer) {
            LockSupport.parkNanos(DELAY);
            return answer;
        }

        @Override
        public Documents.Reading read(Collection<String> resources) {
            return late(session.read(resources));
        }

        @Override
        public Set<String> write(List<Documents.Change> changes, long notAfter) {
            return late(session.write(changes, notAfter));
        }

        @Override
        public boolean reserve(String resource, long version, long over) {
            return late(session.reserve(resource, version, over));
        }

        @Override
        public Store.NamePage names(String prefix, String cursor) {
            return late(session.names(prefix, cursor));
        }

        @Override
        public void ring(Collection<Documents.Call> calls) {}

        @Override
        public boolean sweep() {
            return false;
        }

        @Override
        public void close() {}
    }

    private Store open(long client, Documents from) {
        Store store = new DocumentStore("test-" + client, from, client, new Store.Listener() {
            @Override
            public void pushed(Push push) {}

            @Override
            public void reconnected() {}
        });
        stores.add(store);
        return store;
    }

    private static Answer send(Store store, Request request) throws Exception {
        return store.send(request).toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    /** Takes one of the permits and gives it back; returns whether there was one. */
    private static boolean pair(Store store, ClaimId id) throws Exception {
        Owner owner = Owner.of("client", "host", 1, "thread");
        Answer entered = send(
                store, Request.Enter.of("x", id, ClaimSpec.of(PERMITS, 1, LEASE).withIfFree(true), 0, owner));
        boolean had = entered.state() == State.GRANTED;
        if (had) {
            assertThat(send(store, Request.Leave.of("x", id, false)).state()).isEqualTo(State.LEFT);
        }
        return had;
    }

    /** Others change the resource without a rest. */
    private void beBusy(int clients) {
        for (int i = 1; i <= clients; i++) {
            long client = i;
            Store store = open(client, documents);
            Thread thread = new Thread(() -> {
                try {
                    for (long number = 1; !over; number++) {
                        near.addAndGet(pair(store, ClaimId.of(client, number)) ? 1 : 0);
                    }
                } catch (Exception e) {
                    near.set(Integer.MIN_VALUE);
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    @AfterEach
    void close() throws Exception {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
        stores.forEach(Store::close);
    }

    @Test
    void hasItsTurn() throws Exception {
        beBusy(3);
        Store far = open(FAR, new FarDocuments(documents));
        for (int number = 1; number <= 10; number++) {
            assertThat(pair(far, ClaimId.of(FAR, number))).isTrue();
        }
        assertThat(near).hasPositiveValue();
    }

    /** Far clients ask each other for their turns, too. */
    @Test
    void hasItsTurnBesideOthersLikeIt() throws Exception {
        beBusy(2);
        Store other = open(FAR + 1, new FarDocuments(documents));
        Thread thread = new Thread(() -> {
            try {
                for (long number = 1; !over; number++) {
                    pair(other, ClaimId.of(FAR + 1, number));
                }
            } catch (Exception e) {
                near.set(Integer.MIN_VALUE);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        Store far = open(FAR, new FarDocuments(documents));
        for (int number = 1; number <= 5; number++) {
            assertThat(pair(far, ClaimId.of(FAR, number))).isTrue();
        }
        assertThat(near).hasPositiveValue();
    }

    /** One that has reserved something and is stopped then keeps others from it for a moment, and not for good. */
    @Test
    void mayStopAfterItsReservation() throws Exception {
        Store store = open(1, documents);
        assertThat(pair(store, ClaimId.of(1, 1))).isTrue();
        long now = documents.connect().read(Set.of("x")).time();
        assertThat(documents.connect().reserve("x", Reservation.until(now + 200_000), Reservation.over(now)))
                .isTrue();
        assertThat(pair(store, ClaimId.of(1, 2))).isTrue();
        assertThat(documents.connect().read(Set.of("x")).time() - now).isGreaterThanOrEqualTo(200_000);
    }
}
