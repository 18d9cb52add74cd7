package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import org.junit.jupiter.api.BeforeEach;

/** Two clients of a store that send single requests, with no engine behind them. */
abstract class TwoRequesters extends BareStore {
    static final String NAME = "x";
    static final int WHOLE = Resource.WHOLE;

    long lease;
    Requester first;
    Requester second;

    @BeforeEach
    void openBoth() {
        lease = Math.min(60_000_000, spec.longestLease().toNanos() / 10_000); // some ask for ten of them
        first = requester(11);
        second = requester(22);
        premise.begins();
    }

    final Request.Enter enter(Requester client, String name, long number, int weight) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return Request.Enter.of(name, ClaimId.of(client.number, number), ClaimSpec.of(WHOLE, weight, lease), 0, owner);
    }

    final Request.Enter enter(Requester client, long number, int weight) {
        return enter(client, NAME, number, weight);
    }

    final Request.Enter enter(Requester client, long number) {
        return enter(client, number, WHOLE);
    }

    static Request leave(Requester client, long number) {
        return Request.Leave.of(NAME, ClaimId.of(client.number, number), false);
    }

    /** Waits for the next push, which must be the only one. A store may push again what was not picked up yet. */
    final Push pushed(Requester client) {
        eventually().until(() -> !client.pushes.isEmpty());
        Push push = client.pushes.remove();
        client.pushes.removeIf(copy ->
                copy.id().equals(push.id()) && copy.sequence() == push.sequence() && copy.granted() && push.granted());
        assertThat(client.pushes).as("further pushes").isEmpty();
        return push;
    }

    /** A grant that its owner does not ask for in time is over; of a time that several members tell, each tells its own. */
    final Answer pickedUp(Answer answer, long deadline) {
        premise.holds(
                answer.state() != State.GONE || answer.time() < deadline - 100_000, "a grant is picked up in time");
        return answer;
    }
}
