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
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.support.Moment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A resource that only this client uses is not read each time, and what others do there is noticed all the same. */
class SoleUserCacheTest {
    private static final long LEASE = 30_000_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MapDocuments documents = new MapDocuments();
    private final Store one = store(documents, 1);
    private final Store two = store(documents, 2);

    private static Store store(MapDocuments documents, long client) {
        return new DocumentStore("test-" + client, documents, client, new Store.Listener() {
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

    /** Has the store open both its connections: with a new one it forgets what it knew. */
    private static void connect(Store store, MapDocuments documents) throws Exception {
        while (documents.connections.get() < 2) {
            CompletableFuture<?> y = store.inspect("y").toCompletableFuture();
            store.inspect("z").toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
            y.get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    private static Answer send(Store store, Request request) throws Exception {
        return store.send(request).toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static Answer enter(Store store, long client, long number) throws Exception {
        return send(
                store,
                Request.Enter.of(
                        "x",
                        ClaimId.of(client, number),
                        ClaimSpec.whole(LEASE).withIfFree(true),
                        0,
                        Owner.of("client", "host", 1, "thread")));
    }

    private static Answer leave(Store store, long client, long number) throws Exception {
        return send(store, Request.Leave.of("x", ClaimId.of(client, number), false));
    }

    @Test
    void whoIsAloneReadsOnceASecond() throws Exception {
        MapDocuments own = new MapDocuments();
        own.called = true; // else a holder that stands still for half a second looks whether it still holds
        try (Store alone = store(own, 1)) {
            connect(alone, own);
            int before = own.reads.get();
            long begun = System.nanoTime();
            long sequence = 0;
            for (int i = 1; i <= 200; i++) {
                Answer entered = enter(alone, 1, i);
                assertThat(entered.state()).isEqualTo(State.GRANTED);
                assertThat(entered.sequence()).isGreaterThan(sequence);
                sequence = entered.sequence();
                assertThat(leave(alone, 1, i).state()).isEqualTo(State.LEFT);
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            assertThat(own.reads.get() - before).isLessThanOrEqualTo((int) seconds + 1);
            assertThat(own.refused).hasValue(0);
        }
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
        assertThat(documents.refused.get()).isPositive();
    }

    private static long grantedThenLeft(Store store, long client, long number, long before) throws Exception {
        Answer entered = enter(store, client, number);
        assertThat(entered.state()).isEqualTo(State.GRANTED);
        assertThat(entered.sequence()).isGreaterThan(before);
        assertThat(leave(store, client, number).state()).isEqualTo(State.LEFT);
        return entered.sequence();
    }

    /** Its clock stood still meanwhile, so that what it reckons from what was read is behind. */
    @Test
    void whatWasReadBeforeASuspensionIsReadAgain() {
        Moment now = Moment.now();
        Moment before = new Moment(now.nanos(), now.wallOffset() - 500);
        Documents.Found found = new Documents.Found(1, new byte[0]);
        SoleUserCache soleUser = new SoleUserCache(true);
        soleUser.put("x", new SoleUserCache.Known(found, 1, before));
        assertThat(soleUser.take("x")).isNull();
        Moment read;
        SoleUserCache.Known taken;
        do { // what was read is relied on for a second, which may be over
            read = Moment.now();
            soleUser.put("x", new SoleUserCache.Known(found, 1, read));
            taken = soleUser.take("x");
        } while (taken == null && read.ago() >= SECOND);
        assertThat(taken).isNotNull();
    }

    /** The time that is reckoned may be ahead of the database's, and a holder relies on its lease until that ends. */
    @Test
    void whatWouldExpireByAReckonedTimeIsRead() {
        Moment now = Moment.now();
        Moment before = new Moment(now.nanos() - TimeUnit.SECONDS.toNanos(20), now.wallOffset());
        ClaimId ending = ClaimId.of(1, 1);
        ClaimId other = ClaimId.of(1, 2);
        Owner owner = Owner.of("client", "host", 1, "thread");
        ClaimSpec permit = ClaimSpec.of(2, 1, LEASE);
        Resource state = Request.Enter.of("x", ending, permit.withFixedLease(10_000_000), 0, owner)
                .applyTo(Resource.UNUSED, 1_000_000)
                .next();
        state = Request.Enter.of("x", other, permit, 0, owner)
                .applyTo(state, 1_000_000)
                .next();
        Documents.Found found = new Documents.Found(1, States.encode(new States.State(state, 0)));
        SoleUserCache.Known known = new SoleUserCache.Known(found, 1_000_000, before);
        assertThat(runsUnread(known, Request.Leave.of("x", other, false))).isFalse();
        assertThat(runsUnread(known, Request.Enter.of("x", ClaimId.of(1, 3), permit, 0, owner)))
                .isFalse();
        assertThat(runsUnread(known, Request.Leave.of("x", ending, false)))
                .as("it leaves, however late")
                .isTrue();
        assertThat(runsUnread(new SoleUserCache.Known(found, 1_000_000, now), Request.Leave.of("x", other, false)))
                .as("none is over")
                .isTrue();
    }

    private static boolean runsUnread(SoleUserCache.Known known, Request request) {
        Operation asked = new Operation.Ask(request, new CompletableFuture<>());
        return new ResourceUpdate(new ResourceQueue("x", 1), List.of(asked)).runUnread(known, 1);
    }

    @Test
    void whatIsKnownIsForgottenWithTheConnection() {
        SoleUserCache soleUser = new SoleUserCache(true);
        soleUser.put("x", new SoleUserCache.Known(new Documents.Found(1, new byte[0]), 1, Moment.now()));
        soleUser.forget();
        assertThat(soleUser.take("x")).isNull();
    }

    /** As a backup does that was restored, or somebody who empties the table. */
    @Test
    void whatHasGoneMeanwhileIsNoticed() throws Exception {
        connect(one, documents);
        long last = 0;
        do { // what was read is relied on for a second, which may be over
            leave(one, 1, last);
            grantedThenLeft(one, 1, ++last, 0);
            documents.clear();
            assertThat(enter(one, 1, ++last).state()).isEqualTo(State.GRANTED);
        } while (documents.refused.get() == 0);
        assertThat(documents.refused).hasValue(1);
        assertThat(enter(two, 2, 1).state()).isEqualTo(State.BUSY);
    }
}
