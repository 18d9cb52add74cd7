package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.document.States.State;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A description of a claim is seen by who looks, and is no news to anybody. */
class DescriptionTest {
    private static final long LEASE = TimeUnit.SECONDS.toMicros(30);
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private final MapDocuments documents = new MapDocuments();
    private final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
    private final Store holder = open(1);
    private final Store waiter = open(2);

    private Store open(long client) {
        return new DocumentStore("test-" + client, documents, client, new Store.Listener() {
            @Override
            public void pushed(Push push) {
                pushes.add(push);
            }

            @Override
            public void reconnected() {}
        });
    }

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
    }

    private static Answer send(Store store, Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private Resource seen() {
        return waiter.inspect("x").toCompletableFuture().join().resource().orElseThrow();
    }

    @Test
    void nobodyIsCalledOrPushed() {
        ClaimId id = ClaimId.of(1, 1);
        Answer held = send(holder, Request.Enter.of("x", id, ClaimSpec.whole(LEASE), 0, OWNER));
        send(waiter, Request.Enter.of("x", ClaimId.of(2, 1), ClaimSpec.whole(LEASE), 0, OWNER));
        int calls = documents.calls.get();
        Resource before = seen();

        Owner next =
                OWNER.withThread("another", "order 4711").withSince(held.time()).withLease(LEASE);
        Answer told = send(holder, Request.Describe.of("x", id, held.sequence(), next));

        assertThat(told.state()).isEqualTo(Answer.State.GRANTED);
        Resource after = seen();
        assertThat(after.claims().get(0)).isEqualTo(before.claims().get(0).withOwner(next));
        assertThat(after.claims().get(1)).isEqualTo(before.claims().get(1));
        assertThat(documents.calls).hasValue(calls);
        assertThat(pushes).isEmpty();
    }

    /** Those who poll go on as if nothing had happened. */
    @Test
    void itIsTheSameSituationForWhoWaitsAndForWhoHolds() {
        Request.Enter first =
                Request.Enter.of("x", ClaimId.of(1, 1), ClaimSpec.whole(LEASE).withSticky(true), 0, OWNER);
        Request.Enter second = Request.Enter.of("x", ClaimId.of(2, 1), ClaimSpec.whole(LEASE), 0, OWNER);
        Resource before =
                second.applyTo(first.applyTo(Resource.UNUSED, 1).next(), 2).next();
        Claim held = before.claims().get(0);
        Request.Describe describe =
                Request.Describe.of("x", held.id(), held.sequence(), OWNER.withThread("another", ""));
        Resource after = describe.applyTo(before, 3).next();
        assertThat(after).isNotEqualTo(before);
        for (long client : new long[] {1, 2}) {
            OwnClaims own = new OwnClaims("x", client);
            assertThat(own.situation(new State(after, 0))).isEqualTo(own.situation(new State(before, 0)));
        }
    }
}
