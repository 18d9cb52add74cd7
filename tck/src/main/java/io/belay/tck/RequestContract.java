package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of single requests, each also late and twice: what a store must do besides what its answers say. */
abstract class RequestContract extends TwoRequesters {
    private static final int CHUNK = 256;

    @Test
    void anEnterThatIsSentTwiceEntersOnce() {
        Answer once = first.send(enter(first, 1));
        Answer twice = first.send(enter(first, 1));
        assertThat(twice.state()).isEqualTo(State.GRANTED);
        assertThat(twice.sequence()).isEqualTo(once.sequence());
        Answer waiting = second.send(enter(second, 1));
        assertThat(waiting.state()).isEqualTo(State.WAITING);
        assertThat(second.send(enter(second, 1)).sequence()).isEqualTo(waiting.sequence());
        assertThat(first.resource(NAME).claims()).hasSize(2);
    }

    /** Sends again, as a client that was stopped for longer than its lease before it read the first answer. */
    @Test
    void anEnterThatIsSentAgainAfterItsClaimHasEndedEntersAnew() throws Exception {
        assumeTrue(spec.claimsExpire(), "claims end with their client alone");
        Duration brief = Duration.ofSeconds(1);
        Request.Enter enter = Request.Enter.of(
                NAME,
                ClaimId.of(first.number, 1),
                ClaimSpec.whole(brief.toNanos() / 1000),
                0,
                Owner.of("client", "host", 1, "thread"));
        Answer once = first.send(enter);
        Thread.sleep(spec.endsWithin(brief).plusMillis(100).toMillis());
        Answer again = first.send(enter);
        assertThat(again.state()).isEqualTo(State.GRANTED);
        assertThat(again.sequence()).isGreaterThan(once.sequence());
    }

    @Test
    void aReleasePushesTheGrantToItsOwnerAlone() {
        first.send(enter(first, 1));
        Answer waiting = second.send(enter(second, 7));
        assertThat(first.send(leave(first, 1)).state()).isEqualTo(State.LEFT);
        Push push = pushed(second);
        assertThat(push.id()).isEqualTo(ClaimId.of(22, 7));
        assertThat(push.resource()).isEqualTo(NAME);
        assertThat(push.granted()).isTrue();
        assertThat(push.sequence()).isEqualTo(waiting.sequence());
        // Where nobody can pass it over it holds for as long as it was proved to.
        long longest = spec.passesOverTheSilent() ? Resource.PICK_UP : lease;
        assertThat(push.deadline() - push.time()).as("until it is picked up").isBetween(1L, longest);
        assertThat(first.pushes).isEmpty();
    }

    /** Returns who has the first claim, with the lease that a store need not tell. */
    private Owner shown(Resource resource) {
        return resource.claims().get(0).owner().withLease(lease);
    }

    @Test
    void aClaimShowsWhoHasItNow() {
        Owner entering = Owner.of("client", "host", 1, "worker-1")
                .withThread("worker-1", "order 4711")
                .withLease(lease);
        ClaimId id = ClaimId.of(first.number, 1);
        Answer held = first.send(Request.Enter.of(NAME, id, ClaimSpec.whole(lease), 0, entering));
        Answer waiting = second.send(enter(second, 1));
        assertThat(shown(first.resource(NAME))).isEqualTo(entering);

        Owner next = entering.withThread("a worker with another name", "").withSince(held.time());
        Answer told = first.send(Request.Describe.of(NAME, id, held.sequence(), next));
        assertThat(told.state()).isEqualTo(State.GRANTED);
        assertThat(told.sequence()).isEqualTo(held.sequence());
        eventually()
                .untilAsserted(() -> assertThat(shown(second.resource(NAME))).isEqualTo(next));

        first.send(Request.Describe.of(NAME, id, held.sequence() + 1, entering));
        second.send(Request.Describe.of(NAME, ClaimId.of(second.number, 2), waiting.sequence(), entering));
        Resource now = second.resource(NAME);
        assertThat(now.claims()).hasSize(2);
        assertThat(shown(now)).isEqualTo(next);
        assertThat(first.pushes).isEmpty();
        assertThat(second.pushes).isEmpty();

        first.send(leave(first, 1));
        assertThat(pushed(second).sequence()).isEqualTo(waiting.sequence());
    }

    @Test
    void sinceWhenIsForgottenWithTheHold() {
        ClaimId id = ClaimId.of(first.number, 1);
        Answer held = first.send(enter(first, 1));
        second.send(enter(second, 1));
        Owner told = first.resource(NAME).claims().get(0).owner().withSince(held.time());
        first.send(Request.Describe.of(NAME, id, held.sequence(), told));
        eventually()
                .untilAsserted(
                        () -> assertThat(second.resource(NAME).claims().get(0).owner())
                                .isEqualTo(told));

        first.send(Request.Yield.of(NAME, id, held.sequence(), lease, 0));
        assertThat(pushed(second).granted()).isTrue();
        second.send(leave(second, 1));
        assertThat(pushed(first).granted()).isTrue();
        eventually().untilAsserted(() -> {
            Resource now = second.resource(NAME);
            premise.holds(!now.claims().isEmpty(), "a grant is looked at before it is over");
            assertThat(now.claims().get(0).owner()).isEqualTo(told.withSince(0));
        });
    }

    @Test
    void aLeaveOfNobodysClaimTakesNothingAway() {
        first.send(enter(first, 1));
        assertThat(second.send(leave(second, 1)).state()).isEqualTo(State.GONE);
        assertThat(first.send(leave(first, 2)).state()).isEqualTo(State.GONE);
        assertThat(first.resource(NAME).holders()).hasSize(1);
        assertThat(first.send(leave(first, 1)).state()).isEqualTo(State.LEFT);
        assertThat(second.send(enter(second, 2)).state()).isEqualTo(State.GRANTED);
        assertThat(first.send(leave(first, 1)).state()).isEqualTo(State.GONE);
        assertThat(first.resource(NAME).holders()).hasSize(1);
    }

    @Test
    void anEnterThatComesAfterItsUnclearLeaveIsRefused() {
        ClaimId id = ClaimId.of(first.number, 1);
        assertThat(first.send(Request.Leave.of(NAME, id, true)).state()).isEqualTo(State.GONE);
        Answer late = first.send(enter(first, 1));
        assertThat(late.state()).isEqualTo(State.REFUSED);
        assertThat(late.refusal()).isNotBlank();
        assertThat(second.send(enter(second, 1)).state()).isEqualTo(State.GRANTED);
    }

    @Test
    void aLateYieldDoesNotGiveUpWhatWasHadSince() {
        Answer held = first.send(enter(first, 1));
        Answer waiting = second.send(enter(second, 1));
        Request yield = Request.Yield.of(NAME, ClaimId.of(11, 1), held.sequence(), lease, 0);
        Answer behind = first.send(yield);
        assertThat(behind.state()).isEqualTo(State.WAITING);
        assertThat(behind.sequence()).isGreaterThan(waiting.sequence());
        second.send(leave(second, 1));
        Push handed = pushed(first);
        assertThat(handed.sequence()).isEqualTo(behind.sequence());
        Answer next = second.send(enter(second, 2));
        premise.holds(
                next.state() == State.WAITING || next.time() < handed.deadline(),
                "a grant is looked at before it is over");
        assertThat(next.state()).isEqualTo(State.WAITING);
        Answer late = pickedUp(first.send(yield), handed.deadline());
        assertThat(late.state()).as("a late copy").isEqualTo(State.GRANTED);
        assertThat(late.sequence()).isEqualTo(behind.sequence());
    }

    @Test
    void aLateReweightDoesNotUndoAnother() {
        Answer held = first.send(enter(first, 1));
        ClaimId id = ClaimId.of(11, 1);
        Request down = Request.Reweight.of(NAME, id, held.sequence(), 0, 1);
        Answer reader = first.send(down);
        assertThat(reader.reweights()).isEqualTo(1);
        assertThat(reader.sequence()).isEqualTo(held.sequence());
        assertThat(first.send(Request.Reweight.of(NAME, id, held.sequence(), 1, WHOLE))
                        .reweights())
                .isEqualTo(2);
        assertThat(first.send(down).reweights()).as("after a late copy").isEqualTo(2);
        assertThat(second.send(enter(second, 1, 1)).state()).isEqualTo(State.WAITING);
    }

    @Test
    void aLateRenewalDoesNotLengthenWhatIsAnothers() {
        Answer old = first.send(enter(first, 1));
        Answer fresh = first.send(Request.Yield.of(NAME, ClaimId.of(11, 1), old.sequence(), lease, 0));
        assertThat(fresh.state()).isEqualTo(State.GRANTED);
        assertThat(fresh.sequence()).isGreaterThan(old.sequence());
        Answer late = first.send(Request.Renew.of(NAME, ClaimId.of(11, 1), old.sequence(), 10 * lease, 0, false));
        assertThat(late.sequence()).isEqualTo(fresh.sequence());
        assertThat(late.deadline()).isEqualTo(fresh.deadline());
        assertThat(second.send(Request.Renew.of(NAME, ClaimId.of(22, 1), old.sequence(), lease, 0, false))
                        .state())
                .isEqualTo(State.GONE);
    }

    @Test
    void onlyAGrantThatWasNotPickedUpIsSkipped() {
        first.send(enter(first, 1));
        Answer waiting = second.send(enter(second, 1));
        ClaimId id = ClaimId.of(22, 1);
        first.send(leave(first, 1));
        Push granted = pushed(second);
        Request renewal = Request.Renew.of(NAME, id, waiting.sequence(), lease, 0, false);
        assertThat(pickedUp(second.send(renewal), granted.deadline()).state()).isEqualTo(State.GRANTED);
        assertThat(first.send(Request.Skip.of(NAME, id, waiting.sequence())).state())
                .isEqualTo(State.GRANTED);
        assertThat(first.resource(NAME).holders()).hasSize(1);
    }

    /** Enters five resources, and returns the renewals. */
    private List<Request.Renew> entered(Requester client) {
        List<Request.Renew> chunk = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            Request.Enter enter = enter(client, "x" + i, i, WHOLE);
            long sequence = client.send(enter).sequence();
            chunk.add(Request.Renew.of("x" + i, enter.id(), sequence, lease, 0, false));
        }
        return chunk;
    }

    private void assertRenewed(Requester client, List<Request.Renew> chunk, State state, List<String> damaged) {
        List<CompletableFuture<Answer>> answers = client.renew(chunk);
        assertThat(answers).hasSameSizeAs(chunk);
        for (int i = 0; i < chunk.size(); i++) {
            Request.Renew request = chunk.get(i);
            if (damaged.contains(request.resource())) {
                eventually().until(answers.get(i)::isDone); // whatever that store makes of it
            } else {
                Answer answer = answers.get(i).join();
                assertThat(answer.state()).as("of %s", request).isEqualTo(state);
                assertThat(answer.sequence()).as("of %s", request).isEqualTo(request.sequence());
            }
        }
    }

    @Test
    void renewalsOfAChunkAreAnsweredInTheirOrder() {
        List<Request.Renew> held = entered(first);
        List<Request.Renew> waiting = entered(second);
        assertRenewed(first, held, State.GRANTED, List.of());
        assertRenewed(second, waiting, State.WAITING, List.of());
    }

    /** As many as a client sends at once, each with a lease of its own. */
    @Test
    void ofALongChunkEachIsRenewedForItself() {
        List<Request.Enter> enters = IntStream.rangeClosed(1, CHUNK)
                .mapToObj(i -> enter(first, "y" + i, i, WHOLE))
                .toList();
        List<Answer> entered = first.sendAll(enters);
        List<Request.Renew> chunk = new ArrayList<>();
        for (int i = 0; i < CHUNK; i++) {
            Request.Enter enter = enters.get(i);
            long sequence = entered.get(i).sequence();
            chunk.add(Request.Renew.of(enter.resource(), enter.id(), sequence, 2 * lease + i, 0, false));
        }
        List<CompletableFuture<Answer>> answers = first.renew(chunk);
        answers.forEach(CompletableFuture::join);
        List<Resource> found =
                first.resources(enters.stream().map(Request.Enter::resource).toList());
        for (int i = 0; i < CHUNK; i++) {
            Answer answer = answers.get(i).join();
            assertThat(answer.state()).as("of %s", chunk.get(i)).isEqualTo(State.GRANTED);
            assertThat(answer.sequence()).isEqualTo(chunk.get(i).sequence());
            if (spec.keepsDeadlines()) {
                assertThat(answer.deadline() - answer.time()).isEqualTo(2 * lease + i);
                assertThat(found.get(i).claims().get(0).deadline()).isEqualTo(answer.deadline());
            }
        }
    }

    @Test
    void aDamagedResourceFailsNobodyElsesRenewal() throws Exception {
        List<Request.Renew> held = entered(first);
        List<Request.Renew> waiting = entered(second);
        List<String> damaged = List.of("x1", "x4");
        for (String resource : damaged) {
            assumeTrue(spec.damage(resource), "nothing can be damaged here");
        }
        assertRenewed(first, held, State.GRANTED, damaged);
        assertRenewed(second, waiting, State.WAITING, damaged);
    }

    @Test
    void aDeadlineThatIsToldIsKept() {
        Answer told = first.send(enter(first, 1));
        assumeTrue(spec.keepsDeadlines(), "claims end together");
        assertThat(told.deadline() - told.time()).isEqualTo(lease);
        Answer renewed = first.send(Request.Renew.of(NAME, ClaimId.of(11, 1), told.sequence(), 2 * lease, 0, false));
        assertThat(renewed.deadline() - renewed.time()).isEqualTo(2 * lease);
        assertThat(first.resource(NAME).claims().get(0).deadline()).isEqualTo(renewed.deadline());
    }

    @Test
    void whatIsEndedByForceIsTold() {
        Answer held = first.send(enter(first, 1));
        assertThat(second.send(Request.Evict.of(NAME)).state()).isEqualTo(State.LEFT);
        Push push = pushed(first);
        assertThat(push.granted()).isFalse();
        assertThat(push.sequence()).isEqualTo(held.sequence());
        assertThat(second.send(Request.Evict.of(NAME)).state()).isEqualTo(State.GONE);
    }

    @Test
    void anotherCapacityIsRefusedWithBothFigures() {
        Owner owner = Owner.of("client", "host", 1, "thread");
        Request.Enter three = Request.Enter.of(NAME, ClaimId.of(11, 1), ClaimSpec.of(3, 1, lease), 0, owner);
        Request.Enter four = Request.Enter.of(NAME, ClaimId.of(22, 1), ClaimSpec.of(4, 1, lease), 0, owner);
        assertThat(first.send(three).state()).isEqualTo(State.GRANTED);
        Answer refused = second.send(four);
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.refusal()).contains("3", "4");
        assertThat(first.resource(NAME).claims()).hasSize(1);
    }

    private Request.Enter permits(Requester client, int weight) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return Request.Enter.of(
                NAME, ClaimId.of(client.number, weight), ClaimSpec.of(100_000, weight, lease), 0, owner);
    }

    @Test
    void aHundredThousandPermitsAreCounted() {
        assertThat(first.send(permits(first, 60_000)).state()).isEqualTo(State.GRANTED);
        assertThat(second.send(permits(second, 40_001)).state()).isEqualTo(State.WAITING);
        second.send(leave(second, 40_001));
        assertThat(second.send(permits(second, 40_000)).state()).isEqualTo(State.GRANTED);
        Resource now = first.resource(NAME);
        assertThat(now.capacity()).isEqualTo(100_000);
        assertThat(now.claims()).extracting(Claim::weight).containsExactly(60_000, 40_000);
    }

    @Test
    void aReleaseThatServesTwoIsToldToBoth() {
        Requester third = requester(33);
        first.send(enter(first, 1));
        Answer one = second.send(enter(second, 1, 1));
        Answer other = third.send(enter(third, 1, 1));
        first.send(leave(first, 1));
        assertThat(pushed(second).sequence()).isEqualTo(one.sequence());
        assertThat(pushed(third).sequence()).isEqualTo(other.sequence());
    }

    @Test
    void aWaiterThatLeavesLetsThoseInWhomItKeptOut() {
        first.send(enter(first, 1, 1));
        assertThat(second.send(enter(second, 1)).state()).isEqualTo(State.WAITING);
        Answer late = first.send(enter(first, 2, 1));
        assertThat(late.state()).isEqualTo(State.WAITING);
        second.send(leave(second, 1));
        assertThat(pushed(first).sequence()).isEqualTo(late.sequence());
        assertThat(second.resource(NAME).holders()).hasSize(2);
    }
}
