package io.belay.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import org.junit.jupiter.api.Test;

class MemorySpaceTest {
    private static final long SECOND = 1_000_000;

    private long now;
    private final MemorySpace space = new MemorySpace(() -> now);

    /** However many there are of them: they are forgotten one after the other, and none in the course of another. */
    @Test
    void manyFixedEndsThatHavePassedAreForgottenByOneRequest() {
        for (int i = 0; i < 50_000; i++) {
            enter("x" + i);
        }
        assertThat(space.size()).isEqualTo(50_000);
        now += SECOND + Resource.MEMORY + SECOND;
        assertThat(enter("y").state()).isEqualTo(Answer.State.GRANTED);
        now += 2 * Resource.MEMORY;
        assertThat(space.names("x").names().size()).isZero();
    }

    private Answer enter(String name) {
        ClaimId id = ClaimId.of(1, 1);
        ClaimSpec all = ClaimSpec.whole(30 * SECOND);
        Answer granted = space.run(Request.Enter.of(name, id, all, 0, Owner.of("test", "host", 1, "thread")), true);
        space.run(Request.Fix.of(name, id, granted.sequence(), 0, SECOND), true);
        return granted;
    }
}
