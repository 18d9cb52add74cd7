package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of claims whose end is fixed: from the beginning, or by a request. */
abstract class EndContract extends TwoRequesters {
    @BeforeEach
    void needsLeases() {
        assumeTrue(spec.leasePerClaim(), "the store has no leases of a claim's own");
    }

    @Test
    void aFixedLeaseIsNeverLengthened() {
        Owner owner = Owner.of("client", "host", 1, "thread");
        ClaimId id = ClaimId.of(11, 1);
        long hold = lease / 2;
        Answer held =
                first.send(Request.Enter.of(NAME, id, ClaimSpec.whole(lease).withFixedLease(hold), 0, owner));
        if (spec.keepsDeadlines()) {
            assertThat(held.deadline() - held.time()).isEqualTo(hold);
        }
        Answer renewed = first.send(Request.Renew.of(NAME, id, held.sequence(), lease, 0, false));
        assertThat(renewed.deadline()).isEqualTo(held.deadline());
    }

    /** More microseconds than an int can count. */
    @Test
    void anHourIsAnHour() {
        long hour = TimeUnit.HOURS.toMicros(1);
        assumeTrue(spec.longestLease().toNanos() / 1_000 >= hour, "the store has no leases of an hour");
        Request.Enter enter = enter(first, 1);
        Answer held = first.send(
                Request.Enter.of(NAME, enter.id(), ClaimSpec.whole(lease).withFixedLease(hour), 0, enter.owner()));
        assertFixed(held, held.sequence(), held.reweights(), hour);
        if (spec.keepsDeadlines()) {
            assertThat(second.resource(NAME).claims().get(0).deadline()).isEqualTo(held.deadline());
        } else {
            assertThat(held.deadline() - held.time()).isGreaterThan(hour / 2);
        }
    }

    /** Fixes the end of the first claim of the first client. */
    private Answer fix(long sequence, int reweights, long until) {
        return first.send(Request.Fix.of(NAME, ClaimId.of(11, 1), sequence, reweights, until));
    }

    private void assertFixed(Answer answer, long sequence, int reweights, long until) {
        assertThat(answer.state()).isEqualTo(State.GRANTED);
        assertThat(answer.sequence()).isEqualTo(sequence);
        assertThat(answer.reweights()).isEqualTo(reweights);
        if (spec.keepsDeadlines()) {
            assertThat(answer.deadline() - answer.time()).isEqualTo(until);
        } else {
            // Where a client keeps the time, the lease may begin a little after the time that its answer names.
            assertThat(answer.deadline() - answer.time()).isBetween(1L, until + until / 10);
        }
    }

    @Test
    void anEndIsFixedEarlierOrLaterAndNothingElseMovesIt() {
        long sequence = first.send(enter(first, 1)).sequence();
        Answer waiting = second.send(enter(second, 1));
        assertFixed(fix(sequence, 0, 3 * lease), sequence, 1, 3 * lease);
        Answer earlier = fix(sequence, 1, lease / 2);
        assertFixed(earlier, sequence, 2, lease / 2);

        for (Answer after : List.of(
                first.send(Request.Renew.of(NAME, ClaimId.of(11, 1), sequence, lease, 0, false)),
                first.send(Request.Yield.of(NAME, ClaimId.of(11, 1), sequence, lease, 0)),
                fix(sequence, 1, 2 * lease), // an older copy
                fix(sequence + 1, 2, 2 * lease),
                fix(waiting.sequence(), 2, 2 * lease))) {
            assertThat(after.state()).isEqualTo(State.GRANTED);
            assertThat(after.sequence()).isEqualTo(sequence);
            assertThat(after.deadline()).isEqualTo(earlier.deadline());
            assertThat(after.reweights()).isEqualTo(2);
        }

        // One that overtakes another.
        assertFixed(fix(sequence, 7, lease), sequence, 8, lease);
        assertThat(fix(sequence, 6, 2 * lease).reweights()).isEqualTo(8);
        assertThat(first.resource(NAME).claims()).hasSize(2);
        assertThat(second.pushes).isEmpty();
    }

    @Test
    void theEndOfAClaimThatWaitsIsNotFixed() {
        first.send(enter(first, 1));
        Answer waiting = second.send(enter(second, 1));
        ClaimId id = ClaimId.of(22, 1);
        Answer still = second.send(Request.Fix.of(NAME, id, waiting.sequence(), 0, lease / 2));
        assertThat(still.state()).isEqualTo(State.WAITING);
        assertThat(still.reweights()).isZero();
        if (spec.keepsDeadlines()) {
            assertThat(still.deadline()).isEqualTo(waiting.deadline());
        }
        Request unknown = Request.Fix.of(NAME, ClaimId.of(22, 2), waiting.sequence(), 0, lease);
        assertThat(second.send(unknown).state()).isEqualTo(State.GONE);
    }

    @Test
    void aClaimWhoseEndWasFixedEndsThenThoughItIsRenewed() {
        long sequence = first.send(enter(first, 1)).sequence();
        long place = second.send(enter(second, 1)).sequence();
        Duration brief = Duration.ofSeconds(1);
        Answer fixed = fix(sequence, 0, brief.toNanos() / 1000);
        Request renewal = Request.Renew.of(NAME, ClaimId.of(11, 1), sequence, lease, 0, false);
        Request question = Request.Renew.of(NAME, ClaimId.of(22, 1), place, lease, 0, false);
        await().atMost(spec.endsWithin(brief).plus(spec.patience()))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> first.send(renewal).state() == State.GONE);
        Answer next = pickedUp(second.send(question), fixed.deadline() + Resource.PICK_UP);
        assertThat(next.state()).isEqualTo(State.GRANTED);
        assertThat(next.time()).isGreaterThanOrEqualTo(fixed.deadline());
    }
}
