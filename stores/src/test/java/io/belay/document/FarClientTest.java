package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client whose answers take their time, beside others who change the same resource all the while. */
class FarClientTest {
    private static final int PERMITS = 8;
    private static final long LEASE = TimeUnit.SECONDS.toMicros(30);
    private static final long FAR = 9;
    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LOCK_WAIT = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int COUNT = 16;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private final MapDocuments documents = new MapDocuments();
    private final List<Store> stores = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger near = new AtomicInteger();
    /** How many answers the client that is far away has had, and how often it has waited for what is locked. */
    private final AtomicInteger roundTrips = new AtomicInteger();

    private final AtomicInteger waits = new AtomicInteger();
    /** What is locked by somebody else: it is left out of what is written together. */
    private volatile Set<String> locked = Set.of();
    /** What happens before that client reads, and before it writes something. */
    private volatile Consumer<Collection<String>> beforeReading = resources -> {};

    private volatile Consumer<String> beforeWriting = resource -> {};
    private volatile boolean over;

    /** The same documents from afar: each answer takes that long. */
    private final class FarDocuments implements Documents {
        @Override
        public Session connect() {
            return new FarSession(documents.connect());
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

    private final class FarSession implements Documents.Session {
        private final Documents.Session session;

        FarSession(Documents.Session session) {
            this.session = session;
        }

        private <T> T late(T answer) {
            roundTrips.incrementAndGet();
            LockSupport.parkNanos(DELAY);
            return answer;
        }

        @Override
        public Documents.Reading read(Collection<String> resources) {
            beforeReading.accept(resources);
            return late(session.read(resources));
        }

        @Override
        public Set<String> write(List<Documents.Change> changes, long notAfter) {
            changes.forEach(change -> beforeWriting.accept(change.resource()));
            if (changes.size() == 1) {
                awaitUnlocked(changes.get(0).resource());
            }
            List<Documents.Change> unlocked = changes.stream()
                    .filter(change -> !locked.contains(change.resource()))
                    .toList();
            return late(session.write(unlocked, notAfter));
        }

        @Override
        public boolean reserve(String resource, long version, long over) {
            awaitUnlocked(resource);
            return late(session.reserve(resource, version, over));
        }

        private void awaitUnlocked(String resource) {
            if (locked.contains(resource)) {
                waits.incrementAndGet();
                LockSupport.parkNanos(LOCK_WAIT);
                throw StoreException.unreachable("locked", null);
            }
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

    private static Request.Enter enter(String resource, ClaimId id) {
        return Request.Enter.of(resource, id, ClaimSpec.of(PERMITS, 1, LEASE).withIfFree(true), 0, OWNER);
    }

    /** Takes one of the permits and gives it back; returns whether there was one. */
    private static boolean pair(Store store, ClaimId id) throws Exception {
        Answer entered = send(store, enter("x", id));
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
        Store far = open(FAR, new FarDocuments());
        for (int number = 1; number <= 10; number++) {
            assertThat(pair(far, ClaimId.of(FAR, number))).isTrue();
        }
        assertThat(near).hasPositiveValue();
    }

    /** Far clients ask each other for their turns, too. */
    @Test
    void hasItsTurnBesideOthersLikeIt() throws Exception {
        beBusy(2);
        Store other = open(FAR + 1, new FarDocuments());
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
        Store far = open(FAR, new FarDocuments());
        for (int number = 1; number <= 5; number++) {
            assertThat(pair(far, ClaimId.of(FAR, number))).isTrue();
        }
        assertThat(near).hasPositiveValue();
    }

    /** Takes a permit of each of these resources; returns the renewals of them. */
    private static List<Request> held(Store store, String... resources) throws Exception {
        List<Request> renewals = new ArrayList<>();
        for (String resource : resources) {
            ClaimId id = ClaimId.of(FAR, renewals.size() + 1);
            long sequence = send(store, enter(resource, id)).sequence();
            renewals.add(Request.Renew.of(resource, id, sequence, LEASE, 0, false));
        }
        return renewals;
    }

    private static String[] names(String prefix) {
        return IntStream.range(0, COUNT).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    /** Another client, which is near, takes a permit and gives it back, unless the resource is reserved. */
    private void change(String resource) {
        Documents.Session session = documents.connect();
        Documents.Reading reading = session.read(Set.of(resource));
        Documents.Found found = reading.found().get(resource);
        if (Reservation.left(found.version(), reading.time()) == 0) {
            ClaimId id = ClaimId.of(1, near.incrementAndGet());
            Resource before = States.decode(resource, found.state()).resource();
            Resource during =
                    enter(resource, id).applyTo(before, reading.time()).next();
            Resource after = Request.Leave.of(resource, id, false)
                    .applyTo(during, reading.time())
                    .next();
            byte[] state = States.encode(new States.State(after, 0));
            session.write(
                    List.of(new Documents.Change(resource, found.version(), near.get(), state, Long.MAX_VALUE)),
                    Long.MAX_VALUE);
        }
    }

    /** Each by itself would take three of its round trips, one after the other. */
    @Test
    void reservesSeveralAtATime() throws Exception {
        Store far = open(FAR, new FarDocuments());
        List<Request> renewals = held(far, names("y"));
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch idle = new CountDownLatch(1);
        beforeReading = resources -> {
            if (resources.contains("busy")) {
                busy.countDown();
                awaitUninterruptibly(idle);
            }
        };
        CompletionStage<?> keepsOneThread = far.inspect("busy");
        try {
            busy.await();
            beforeWriting = this::change;
            await().until(() -> {
                int before = roundTrips.get();
                for (CompletionStage<Answer> answer :
                        renewals.stream().map(far::send).toList()) {
                    assertThat(answer.toCompletableFuture()
                                    .get(Pace.seconds(), TimeUnit.SECONDS)
                                    .state())
                            .isEqualTo(State.GRANTED);
                }
                return roundTrips.get() - before < 3 * COUNT;
            });
        } finally {
            idle.countDown();
        }
        keepsOneThread.toCompletableFuture().join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Else a lease that others are quicker to change could end while what somebody keeps locked is waited for. */
    @Test
    void waitsForNothingThatIsLockedWhereOthersWereQuicker() throws Exception {
        Store far = open(FAR, new FarDocuments());
        List<Request> renewals = held(far, names("y"));
        Request contended = held(far, "z").get(0);
        long taken = System.nanoTime();
        await().until(() -> System.nanoTime() - taken > TimeUnit.MILLISECONDS.toNanos(2_500));
        beforeWriting = resource -> {
            if (resource.equals("z")) {
                change(resource);
            }
        };
        locked = Set.of(names("y"));
        renewals.forEach(far::send);
        assertThat(send(far, contended).state()).isEqualTo(State.GRANTED);
        assertThat(waits).hasValueLessThan(COUNT / 2);
        await().until(() -> waits.get() >= COUNT);
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
