package io.belay.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error strikes in the middle of a step, as where no memory is left: what the step was to do is done later. */
class FailedStepTest {
    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final ClientContext client = new SimClient(0, SimSetup.late("", SimRole.locks(1)), true);
    private final Terms terms = Terms.of("x", Resource.WHOLE, Resource.WHOLE, 30_000_000, Terms.Use.ALL);
    private final List<Object> sent = new ArrayList<>();
    private final List<Caller> ended = new ArrayList<>();
    /** The names of the effects that were called for and did not fail. */
    private final List<String> done = new ArrayList<>();
    /** The effect that throws next; empty for none. */
    private String fails = "";

    private Machine machine = new Machine(terms, client, effects());
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
                    done.add(method.getName());
                    if (method.getName().equals("send") || method.getName().equals("renew")) {
                        sent.add(parts[1]);
                    } else if (method.getName().equals("ended")) {
                        ended.add((Caller) parts[0]);
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }

    private static final class Waiter extends Caller {
        private final boolean thread;

        Waiter() {
            this(NEVER, false);
        }

        Waiter(long maxHold, boolean thread) {
            super(new Asks(maxHold, 0, null, "", false, false), false);
            this.thread = thread;
        }

        @Override
        protected boolean isThread() {
            return thread;
        }

        @Override
        public String threadName() {
            return "";
        }

        @Override
        protected Caller successor(long instant) {
            return new Waiter();
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

    private static Consumer<Machine> answered(Stay stay, Answer.State state) {
        boolean leave = stay.phase == Phase.OVER;
        Answer answer = Answer.of(state, 1).withClaim(1, 30_000_001);
        return its -> its.answered(stay, answer, null, new Sent(stay.inFlight.number, its.now, 0, leave, false));
    }

    private void granted() {
        step(answered(stay(), Answer.State.GRANTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "delays", "send"})
    void aClaimIsEnteredAllTheSame(String effect) {
        fail(effect, its -> its.arrived(caller, Caller.NEVER));
        assertThat(sent).as("the premise").isEmpty();
        goOn();
        assertThat(sent).hasAtLeastOneElementOfType(Request.Enter.class);
        assertThat(machine.stays.all.stream().filter(stay -> !stay.isOver())).hasSize(1);
        machine.stays.all.stream()
                .filter(Stay::isOver)
                .toList()
                .forEach(left -> step(answered(left, Answer.State.LEFT)));
        assertThat(machine.stays.all).as("what was begun is not left behind").hasSize(1);
        assertThat(done).filteredOn("over"::equals).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "delays", "send"})
    void anObserverEntersAllTheSame(String effect) {
        machine = new Machine(Terms.of("x", Resource.WHOLE, 1, 30_000_000, Terms.Use.OBSERVER), client, effects());
        fail(effect, its -> its.observe("observer"));
        assertThat(sent).as("the premise").isEmpty();
        goOn();
        assertThat(sent).hasAtLeastOneElementOfType(Request.Enter.class);
        assertThat(machine.stays.all.stream().filter(stay -> !stay.isOver())).containsExactly(stay());
    }

    @Test
    void aClaimIsLeftAllTheSame() {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        sent.clear();
        fail("send", its -> its.released(caller, 0));
        goOn();
        assertThat(sent).isNotEmpty().hasOnlyElementsOfType(Request.Leave.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unclear", "released", "over"})
    void whatBecameOfAReleaseIsToldAllTheSame(String effect) {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        Stay stay = stay();
        step(its -> its.released(caller, 0));
        stay.isUnclearTold = true;
        fail(effect, answered(stay, Answer.State.LEFT));
        sent.clear();
        goOn();
        assertThat(sent).isNotEmpty().hasOnlyElementsOfType(Request.Leave.class);
        step(answered(stay, Answer.State.GONE));
        assertThat(done).contains("released").endsWith("over");
        assertThat(machine.stays.all).isEmpty();
    }

    @Test
    void whoIsNotToldThatItHasTheLockIsGivenItByTheNextStep() {
        step(its -> its.arrived(caller, Caller.NEVER));
        fail("granted", answered(stay(), Answer.State.GRANTED));
        assertThat(caller.isPending()).isTrue();
        step(its -> {});
        assertThat(done).contains("granted");
        assertThat(caller.holding()).isNotNull();
        assertThat(caller.isPending()).isFalse();
    }

    @Test
    void whoIsNotToldToComeIsToldByTheNextStep() {
        ClaimSpec spec = ClaimSpec.of(Resource.WHOLE, Resource.WHOLE, 30_000_000);
        machine = new Machine(new Terms("x", spec, 1_000_000_000, true, 0, Terms.Use.ALL), client, effects());
        Caller thread = new Waiter(Caller.NEVER, true);
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        step(its -> its.arrived(thread, Caller.NEVER));
        fail("invited", its -> its.released(caller, 0));
        assertThat(thread.isToCome()).isFalse();
        step(its -> {});
        assertThat(done).contains("invited");
        assertThat(thread.isToCome()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "lost"})
    void aLossIsToldAllTheSame(String effect) {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        fail(effect, answered(stay(), Answer.State.GONE));
        step(its -> {});
        assertThat(done).filteredOn("lost"::equals).hasSize(1);
        assertThat(caller.holding()).isNull();
    }

    @Test
    void aHoldThatLastsTooLongEndsAllTheSame() {
        Caller limited = new Waiter(1_000_000, false);
        step(its -> its.arrived(limited, Caller.NEVER));
        granted();
        now += 1_000_000;
        fail("lost", its -> {});
        step(its -> {});
        assertThat(done).contains("lost");
        assertThat(limited.holding()).isNull();
    }

    @Test
    void anAnswerThatCouldNotBeTakenIsAskedForAgain() {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        step(its -> its.ask(new Caller.Ticket(caller)));
        sent.clear();
        fail("told", answered(stay(), Answer.State.GRANTED));
        goOn();
        assertThat(sent).isNotEmpty();
        granted();
        assertThat(done).contains("told");
    }

    @Test
    void aMovedEndIsToldAllTheSame() {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        Stay stay = stay();
        stay.fix(now + 1_000_000_000, new Caller.Ticket(caller));
        fail("told", its -> its.released(caller, 0));
        goOn();
        step(answered(stay, Answer.State.LEFT));
        assertThat(done).contains("told", "released");
    }

    @ParameterizedTest
    @CsvSource({"told, 1", "succeeded, 1", "told, 0"})
    void whatBecameOfAnUpgradeIsToldAllTheSame(String effect, int made) {
        machine = new Machine(Terms.of("x", Resource.WHOLE, 1, 30_000_000, Terms.Use.ALL), client, effects());
        step(its -> its.arrived(caller, Caller.NEVER));
        Stay stay = stay();
        granted();
        Caller.Ticket ticket = new Caller.Ticket(caller);
        step(its -> its.upgrade(ticket, Resource.WHOLE));
        Answer answer =
                Answer.of(Answer.State.GRANTED, 1).withClaim(1, 30_000_001).withReweights(made);
        Consumer<Machine> answered =
                its -> its.answered(stay, answer, null, new Sent(stay.inFlight.number, its.now, 0, false, true));
        fail(effect, answered);
        goOn();
        step(answered);
        assertThat(done).filteredOn("told"::equals).hasSize(1);
        assertThat(ticket.next != null && ticket.next.holding() != null).isEqualTo(made == 1);
        assertThat(caller.holding() != null).isEqualTo(made == 0);
    }

    @Test
    void anUpgradeThatCannotBeToldIsNotToldOfAHoldThatIsNone() {
        machine = new Machine(Terms.of("x", Resource.WHOLE, 1, 30_000_000, Terms.Use.ALL), client, effects());
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        Caller.Ticket ticket = new Caller.Ticket(caller);
        step(its -> its.upgrade(ticket, Resource.WHOLE));
        Answer answer =
                Answer.of(Answer.State.GRANTED, 1).withClaim(1, 30_000_001).withReweights(1);
        Stay stay = stay();
        fail("told", its -> its.answered(stay, answer, null, new Sent(1, its.now, 0, false, true)));
        step(its -> its.released(caller, 0));
        assertThat(done).contains("told");
        assertThat(ticket.next).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"succeeded", "send"})
    void aDowngradeThatFailsLeavesNothingInNobodysHands(String effect) {
        step(its -> its.arrived(caller, Caller.NEVER));
        granted();
        fail(effect, its -> its.downgrade(caller, 1, false));
        goOn();
        assertThat(caller.isReleased()).isTrue();
        assertThat(sent).last().isInstanceOf(Request.Leave.class);
    }

    @Test
    void aWaitWhoseEndCannotBeToldEndsAllTheSame() {
        step(its -> its.arrived(caller, 1_000_000));
        step(answered(stay(), Answer.State.WAITING));
        now = 1_000_000;
        step(Machine::tick);
        now += InFlight.SLOW;
        fail("ended", Machine::tick);
        assertThat(caller.isPending()).isTrue();
        step(Machine::tick);
        assertThat(ended).containsExactly(caller);
        assertThat(caller.isPending()).isFalse();
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
