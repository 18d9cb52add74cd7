package io.belay.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What many waits that are limited cost: each step of anybody, and each other. */
class TimeLimitsTest {
    private static final int MANY = 1_000;
    private static final long MILLI = 1_000_000;

    private final Terms terms = Terms.of("x", Resource.WHOLE, Resource.WHOLE, 30_000_000, Terms.Use.ALL);
    private final ClientContext client = new SimClient(0, SimSetup.late("", SimRole.locks(1)), true);
    /** The limits that whoever reads a hold without the lock has seen at the effects of steps. */
    private final List<Long> seen = new ArrayList<>();

    private Machine machine = new Machine(terms, client, nothing());
    private @Nullable Caller holder;
    /** How often it was asked of a caller whether it holds, and whether it is another one. */
    private long asked;

    private long compared;

    /** What happens outside, which is nothing here. */
    private Machine.Effects nothing() {
        Class<?> type = Machine.Effects.class;
        return (Machine.Effects) Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (its, method, parts) -> {
                    if (holder != null) {
                        seen.add(holder.limit());
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }

    private final class Counted extends Caller {
        Counted(long maxHold) {
            super(new Asks(maxHold, 0, null, "", false, false), false);
        }

        @Override
        public String threadName() {
            return "";
        }

        @Override
        protected Caller successor(long now) {
            throw new UnsupportedOperationException();
        }

        @Override
        @Nullable
        Turn holding() {
            asked++;
            return super.holding();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            compared++;
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private void step(long millis, Consumer<Machine> event) {
        machine.begin(millis * MILLI, 0, ClientState.OPEN);
        event.accept(machine);
        machine.settle();
    }

    private void arrive(int callers, long millis) {
        for (int i = 0; i < callers; i++) {
            step(0, its -> its.arrived(new Counted(Caller.NEVER), millis * MILLI));
        }
    }

    private void answered(long millis, Answer.State state) {
        Stay stay = Objects.requireNonNull(machine.turns.get(0).stay);
        Answer answer = Answer.of(state, 1).withClaim(1, 30_000_001);
        step(millis, its -> its.answered(stay, answer, null, new Sent(1, 0, 0, false, false)));
    }

    @Test
    void whileWaitsAreDueAStepLooksAtNoneOfThem() {
        arrive(1, 1_000);
        answered(0, Answer.State.GRANTED);
        arrive(MANY, 1_000);
        asked = 0;
        for (int i = 0; i < 100; i++) {
            step(1_000 + i, its -> {});
        }
        assertThat(asked).isZero();
        assertThat(machine.turns.get(0).queue.size).isEqualTo(MANY);
        step(1_100, Machine::tick);
        assertThat(machine.turns.get(0).queue.size).isZero();
    }

    @Test
    void waitsThatEndWithAnAnswerThatIsJustDueAreNotComparedWithEachOther() {
        arrive(MANY, 100);
        step(100, Machine::tick);
        assertThat(machine.turns.get(0).queue.size)
                .as("whose answer is just due")
                .isEqualTo(MANY);
        answered(150, Answer.State.WAITING);
        assertThat(machine.turns).isEmpty();
        assertThat(compared).isLessThan(10 * MANY);
    }

    /** Else it would say in the middle of the step in which it ends that it is held, for as long as was asked for. */
    @Test
    void aMoveThatIsNotAnsweredMovesNoLimitOfAHoldThatIsOver() {
        Terms fixed =
                new Terms("x", terms.spec.withFixedLease(30_000_000), Terms.STORES_SLICE, false, 0, Terms.Use.ALL);
        machine = new Machine(fixed, client, nothing());
        Caller one = new Counted(100 * MILLI);
        step(0, its -> its.arrived(one, Caller.NEVER));
        answered(0, Answer.State.GRANTED);
        step(50, its -> its.extend(new Caller.Ticket(one), 10_000 * MILLI));
        holder = one;
        step(101, Machine::tick);
        assertThat(one.holding()).as("the premise").isNull();
        assertThat(seen).isNotEmpty().containsOnly(100 * MILLI);
    }
}
