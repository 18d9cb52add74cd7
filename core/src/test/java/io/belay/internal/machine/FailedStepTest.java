package io.belay.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error strikes in the middle of a step, as where no memory is left: what the step was to do is done later. */
class FailedStepTest {
    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final Circumstances client = new SimClient(0, SimSetup.late("", SimRole.locks(1)), true);
    private final Terms terms = Terms.of("x", Resource.WHOLE, Resource.WHOLE, 30_000_000, Terms.Use.ALL);
    private final List<Object> sent = new ArrayList<>();
    private final List<Caller> ended = new ArrayList<>();
    /** The effect that throws next; empty for none. */
    private String fails = "";

    private final Machine machine = new Machine(terms, client, effects());
    private final Caller caller = new Waiter();
    private long now;

    private Machine.Effects effects() {
        Class<?> type = Machine.Effects.class;
        return (Machine.Effects) Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (its, method, parts) -> {
                    if (method.getName().equals(fails)) {
                        fails = "";
                        throw ERROR;
                    }
                    if (method.getName().equals("send") || method.getName().equals("renew")) {
                        sent.add(parts[1]);
                    } else if (method.getName().equals("ended")) {
                        ended.add((Caller) parts[0]);
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }

    private static final class Waiter extends Caller {
        Waiter() {
            super(new Asks(false, NEVER, 0, null, "", false));
        }

        @Override
        public String threadName() {
            return "";
        }

        @Override
        protected Caller successor(long instant) {
            throw new UnsupportedOperationException();
        }
    }

    private void step(Consumer<Machine> event) {
        machine.begin(now, 0, ClientState.OPEN);
        event.accept(machine);
        machine.settle();
    }

    private void fail(String effect, Consumer<Machine> event) {
        fails = effect;
        assertThatThrownBy(() -> step(event)).isSameAs(ERROR);
    }

    /** Takes the next step as a gate does, and those that fall due within the time for an answer. */
    private void goOn() {
        step(its -> {});
        now += client.requestTimeout();
        step(Machine::tick);
    }

    private Stay stay() {
        return Objects.requireNonNull(machine.turns.get(0).stay);
    }

    private void granted(int number) {
        Answer answer = Answer.of(Answer.State.GRANTED, 1).withClaim(1, 30_000_001);
        step(its -> its.answered(stay(), answer, null, new Sent(number, now, 0, false, false)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "delays", "send"})
    void aClaimIsEnteredAllTheSame(String effect) {
        fail(effect, its -> its.arrived(caller, Caller.NEVER));
        assertThat(sent).as("the premise").isEmpty();
        goOn();
        assertThat(sent).hasAtLeastOneElementOfType(Request.Enter.class);
    }

    @Test
    void aClaimIsLeftAllTheSame() {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted(1);
        sent.clear();
        fail("send", its -> its.released(caller, 0));
        goOn();
        assertThat(sent).isNotEmpty().hasOnlyElementsOfType(Request.Leave.class);
    }

    @Test
    void anAnswerThatCouldNotBeTakenIsAskedForAgain() {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted(1);
        step(its -> its.ask(new Caller.Ticket(caller)));
        sent.clear();
        fails = "told";
        assertThatThrownBy(() -> granted(2)).isSameAs(ERROR);
        goOn();
        assertThat(sent).isNotEmpty();
    }

    @Test
    void aWaitEndsInItsTimeThoughItsClaimCannotBeLeft() {
        step(its -> its.arrived(caller, 1_000_000));
        now = 1_000_000;
        step(Machine::tick);
        assertThat(ended).as("while the answer may come").isEmpty();
        now += client.patience();
        fail("unclear", Machine::tick);
        assertThat(ended).containsExactly(caller);
    }

    @Test
    void aWaitEndsInItsTimeThoughTheStepOfItsArrivalFailed() {
        step(its -> its.arrived(new Waiter(), Caller.NEVER));
        machine.begin(now, 0, ClientState.OPEN);
        machine.arrived(caller, 1_000_000); // and the step is not settled before the next one
        step(its -> its.arrived(new Waiter(), 2_000_000));
        now += 10 * client.requestTimeout();
        step(Machine::tick);
        assertThat(ended).contains(caller);
    }
}
