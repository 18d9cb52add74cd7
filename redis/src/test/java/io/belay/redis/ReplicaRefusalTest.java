package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Confirmation;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which grants count as confirmed, with answers in any order. */
class ReplicaRefusalTest {
    private static final ClaimId ID = ClaimId.of(1, 1);

    private final List<Request> sent = new ArrayList<>();
    private long now;
    private final ReplicaRefusal refusal = new ReplicaRefusal(
            Settings.parse("redis://h?replicas=1&replica-missing=refuse"),
            request -> {
                sent.add(request);
                return new CompletableFuture<>();
            },
            () -> now);

    private static Answer answer(State state, long sequence, int replicas) {
        return answer(state, sequence, replicas, 1, 1_000);
    }

    private static Answer answer(State state, long sequence, int replicas, long time, long deadline) {
        return Answer.of(state, time).withClaim(sequence, deadline).confirmedBy(Confirmation.of(replicas, 1));
    }

    private CompletableFuture<Answer> check(Request request, CompletableFuture<Answer> answered) {
        return refusal.check(request, () -> answered).toCompletableFuture();
    }

    private boolean takes(Request request, State state, long sequence, int replicas) {
        sent.clear();
        check(request, CompletableFuture.completedFuture(answer(state, sequence, replicas)));
        return sent.isEmpty();
    }

    private static Request enter() {
        return enter(ID);
    }

    private static Request enter(ClaimId id) {
        return Request.Enter.of("x", id, ClaimSpec.whole(1_000), 0, Owner.of("c", "h", 1, "t"));
    }

    private static Request renew(long sequence, boolean fresh) {
        return Request.Renew.of("x", ID, sequence, 1_000, 0, fresh);
    }

    private static Request giveUp(long sequence) {
        return Request.Yield.of("x", ID, sequence, 1_000, 0);
    }

    @Test
    void aRenewalsLateAnswerDoesNotConfirmWhatComesAfterTheYield() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        CompletableFuture<Answer> late = new CompletableFuture<>();
        check(renew(5, false), late);
        CompletableFuture<Answer> yielded = new CompletableFuture<>();
        check(giveUp(5), yielded);
        late.complete(answer(State.GRANTED, 5, 1));
        assertThat(sent).isEmpty();
        yielded.complete(answer(State.GRANTED, 6, 0));
        assertThat(sent).containsExactly(Request.Leave.of("x", ID, false));
    }

    @Test
    void aFreshSequenceIsOfTheSameGrant() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        assertThat(takes(renew(5, true), State.GRANTED, 7, 0)).isTrue();
        assertThat(takes(giveUp(5), State.GRANTED, 7, 1))
                .as("which came too late")
                .isTrue();
        assertThat(takes(renew(7, true), State.GRANTED, 9, 0)).isTrue();
        assertThat(takes(giveUp(9), State.GRANTED, 11, 0)).isFalse();
    }

    @Test
    void aYieldThatDidNotArriveChangesNothing() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        check(giveUp(5), CompletableFuture.failedFuture(new IllegalStateException()));
        assertThat(takes(renew(5, false), State.GRANTED, 5, 0)).isTrue();
        assertThat(takes(giveUp(5), State.GRANTED, 6, 0)).isFalse();
    }

    @Test
    void aWaitEndsAGrantUnlessItIsOlder() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        assertThat(takes(renew(5, false), State.WAITING, 5, 0)).isTrue();
        assertThat(takes(renew(5, false), State.GRANTED, 5, 0)).isTrue();
        assertThat(takes(renew(5, false), State.WAITING, 6, 0)).isTrue();
        assertThat(takes(renew(6, false), State.GRANTED, 6, 0)).isFalse();
    }

    @Test
    void aLeaveEndsWhatIsKnownOfAClaimOnceItIsAnswered() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        CompletableFuture<Answer> failed = new CompletableFuture<>();
        check(Request.Leave.of("x", ID, false), failed);
        failed.completeExceptionally(new IllegalStateException());
        assertThat(takes(renew(5, false), State.GRANTED, 5, 0))
                .as("which did not arrive")
                .isTrue();
        CompletableFuture<Answer> left = new CompletableFuture<>();
        check(Request.Leave.of("x", ID, false), left);
        CompletableFuture<Answer> again = new CompletableFuture<>();
        check(enter(), again);
        left.complete(Answer.of(State.LEFT, 1));
        again.complete(answer(State.GRANTED, 7, 1));
        assertThat(takes(renew(7, false), State.GRANTED, 7, 0)).isTrue();
        check(Request.Leave.of("x", ID, false), CompletableFuture.completedFuture(Answer.of(State.LEFT, 1)));
        assertThat(takes(renew(7, false), State.GRANTED, 7, 0)).isFalse();
    }

    @Test
    void anEnterThatIsNotAnsweredLeavesNothingBehind() {
        check(enter(), CompletableFuture.failedFuture(new IllegalStateException()));
        assertThat(refusal.size()).isZero();
        assertThat(takes(enter(), State.WAITING, 5, 0)).isTrue();
        check(enter(), CompletableFuture.failedFuture(new IllegalStateException()));
        assertThat(refusal.size()).as("it waits all the same").isEqualTo(1);
    }

    /** Whose lock is to stay taken when it is given back is left no more. */
    @Test
    void claimsThatEndByThemselvesAreForgotten() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        for (int i = 1; i <= 10_000; i++) {
            ClaimId id = ClaimId.of(1, i + 1);
            now = TimeUnit.SECONDS.toNanos(i);
            long time = TimeUnit.SECONDS.toMicros(i % 2 == 0 ? i : 10 * i); // of two servers whose clocks differ
            Answer granted = answer(State.GRANTED, 5, 1, time, time + 1_000_000);
            check(enter(id), CompletableFuture.completedFuture(granted));
            check(Request.Fix.of("x", id, 5, 0, 1_000_000), CompletableFuture.completedFuture(granted));
            CompletableFuture<Answer> renewed =
                    CompletableFuture.completedFuture(answer(State.GRANTED, 5, 1, time, time + 1_000));
            check(renew(5, false), renewed);
        }
        assertThat(refusal.size()).isLessThan(2_000);
        assertThat(takes(renew(5, false), State.GRANTED, 5, 0))
                .as("the one that went on")
                .isTrue();
    }

    @Test
    void aGrantThatIsPickedUpAheadOfTheEntersAnswerIsConfirmedByThat() {
        CompletableFuture<Answer> entered = new CompletableFuture<>();
        check(enter(), entered);
        assertThat(takes(renew(5, false), State.GRANTED, 5, 1)).isTrue();
        entered.completeExceptionally(new IllegalStateException());
        assertThat(takes(renew(5, false), State.GRANTED, 5, 0)).isTrue();
    }

    @Test
    void aGrantThatIsPushedAheadOfTheYieldsAnswerIsAskedForFirst() {
        assertThat(takes(enter(), State.GRANTED, 5, 1)).isTrue();
        check(giveUp(5), new CompletableFuture<>());
        List<Push> told = new ArrayList<>();
        refusal.pushed(Push.of("x", ID, 6, true, 1, 1_000), told::add);
        assertThat(told).isEmpty();
        assertThat(sent).containsExactly(Request.Renew.of("x", ID, 6, 1, 0, false));
        refusal.pushed(Push.of("x", ID, 5, true, 1, 1_000).withWanted(true), told::add);
        assertThat(told).as("of the grant before").hasSize(1);
    }
}
