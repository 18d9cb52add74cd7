package io.belay.internal.machine;

import static io.belay.internal.machine.SimSetup.Mishap.CLOSING;
import static io.belay.internal.machine.SimSetup.Mishap.CRASH;
import static io.belay.internal.machine.SimSetup.Mishap.DOUBLE;
import static io.belay.internal.machine.SimSetup.Mishap.EVICTION;
import static io.belay.internal.machine.SimSetup.Mishap.FAILED_ANSWER;
import static io.belay.internal.machine.SimSetup.Mishap.FAILOVER;
import static io.belay.internal.machine.SimSetup.Mishap.FAILURE;
import static io.belay.internal.machine.SimSetup.Mishap.LOSS;
import static io.belay.internal.machine.SimSetup.Mishap.PAUSING;
import static io.belay.internal.machine.SimSetup.Mishap.RECONNECTION;
import static io.belay.internal.machine.SimSetup.Mishap.RESIZE;
import static io.belay.internal.machine.SimSetup.Mishap.SETBACK;
import static io.belay.internal.machine.SimSetup.Mishap.STOP;
import static io.belay.internal.machine.SimSetup.Mishap.SUSPENSION;
import static io.belay.internal.machine.SimSetup.Mishap.UNUSABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.Proof;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No order of events breaks a promise of the protocol. Each search is complete within its limits: how often each thing may
 * happen, and until which tick. Leases are 3 ticks where nothing else is said; a pick-up time is 2.
 */
@Tag("search")
class MachineSearchTest {
    private static final SimRole ONCE = SimRole.locks(1);
    private static final SimRole TWICE = SimRole.locks(2);
    private static final SimRole WAITS = ONCE.andWaits();
    private static final SimRole TWO_WAIT = TWICE.andWaits();
    private static final SimRole PERMIT = ONCE.weighing(1);
    private static final SimRole LASTING = TWO_WAIT.weighing(1).leasing(9);
    private static final SimRole OBSERVES = PERMIT.observes();

    /** The ones that the short proof searches. */
    private static final Set<String> SMALLEST = Set.of(
            "a yield, two doubles",
            "three clients, a double",
            "two callers each, a loss",
            "only if free, 1 tick",
            "2, 1 and 2 of 3 permits, one withdrawn",
            "2 of 3 permits, less and more of them, re-sent",
            "2 of 3 permits, less of them and a moved end, left taken",
            "readers that share, a double",
            "two that keep, a double",
            "a server that missed a write, 1 tick",
            "locks that stay taken, 2 ticks",
            "a failure for good",
            "closing",
            "pausing",
            "threads that barge",
            "limited waits, 2 ticks",
            "limited holds, 2 ticks",
            "an observer, a double",
            "a dead holder and a dead waiter, 15 ticks");

    /** Everything may be arbitrarily late, out of order, and doubled: nothing depends on anybody being prompt. */
    static Stream<SimSetup> late() {
        return Stream.of(
                SimSetup.late("a yield, two doubles", TWO_WAIT, ONCE).with(2, DOUBLE),
                SimSetup.late("a yield each, a double", TWO_WAIT, TWO_WAIT).with(1, DOUBLE),
                SimSetup.late("a yield, re-sent", TWO_WAIT.renews(1), WAITS).until(1),
                SimSetup.late("re-sent enters that are given up, 2 ticks", ONCE.renews(1), ONCE)
                        .until(2),
                SimSetup.late("three clients, a double", ONCE, ONCE, WAITS).with(1, DOUBLE),
                SimSetup.late("two callers each, a loss", TWO_WAIT, TWO_WAIT).with(1, LOSS),
                SimSetup.late("only if free, 1 tick", TWO_WAIT.onlyIfFree().renews(1), WAITS)
                        .until(1),
                SimSetup.late("a renewal, 3 ticks", WAITS.renews(1), WAITS).until(3),
                SimSetup.late("three clients, 2 ticks", WAITS, WAITS, WAITS).until(2),
                SimSetup.late("fixed leases, 3 ticks", WAITS.holding(2).renews(1), WAITS.holding(2))
                        .until(3),
                SimSetup.late(
                                "a writer that goes down and up, a double",
                                WAITS.reweights(2),
                                PERMIT.andWaits(),
                                PERMIT.andWaits())
                        .with(1, DOUBLE),
                SimSetup.late("a writer that goes down, 1 tick", WAITS.reweights(1), PERMIT.andWaits(), WAITS)
                        .until(1),
                SimSetup.late("2, 1 and 2 of 3 permits, one withdrawn", TWO.andWaits(), PERMIT, TWO)
                        .capacity(3)
                        .with(1, RESIZE),
                SimSetup.late(
                                "2 of 3 permits each, less and more of them, a double",
                                TWO.reweights(2),
                                TWO.reweights(2))
                        .capacity(3)
                        .with(1, DOUBLE),
                SimSetup.late(
                                "2 of 3 permits, less and more of them, re-sent",
                                TWO.andWaits().reweights(2),
                                PERMIT)
                        .capacity(3)
                        .until(1),
                SimSetup.late("one permit, a double", PERMIT2, PERMIT.andWaits())
                        .capacity(1)
                        .with(1, DOUBLE),
                SimSetup.late("readers that share, a double", PERMIT2, WAITS).with(1, DOUBLE),
                SimSetup.late("two that keep, a double", TWO_WAIT.keepsFor(9), WAITS.keepsFor(9))
                        .with(1, DOUBLE),
                SimSetup.late("one that keeps, 2 ticks", WAITS.keepsFor(1).renews(2), WAITS)
                        .until(2),
                SimSetup.late(
                                "a fixed lease whose end is moved twice, a double, 1 tick",
                                WAITS.holding(2).moves(2),
                                WAITS)
                        .with(1, DOUBLE)
                        .until(1),
                SimSetup.late(
                                "a fixed lease whose end is moved, 2 ticks",
                                WAITS.holding(2).moves(1).renews(1),
                                WAITS)
                        .until(2),
                SimSetup.late("an end that is moved, 2 ticks", WAITS.moves(1).renews(1), WAITS)
                        .until(2),
                SimSetup.late(
                                "locks that stay taken, 2 ticks",
                                WAITS.andLeavesItTaken(2).renews(1),
                                WAITS)
                        .until(2),
                SimSetup.late(
                                "at least two ticks, 2 ticks",
                                WAITS.holdsAtLeast(2).renews(1),
                                WAITS)
                        .until(2),
                SimSetup.late("another server, 2 ticks", WAITS, WAITS, WAITS)
                        .with(1, FAILOVER)
                        .until(2),
                SimSetup.late("a server that missed a write, 1 tick", TWO_WAIT.leasing(9), ONCE)
                        .with(1, SETBACK)
                        .until(1),
                SimSetup.late("a suspension, 3 ticks", WAITS.renews(1), WAITS)
                        .with(1, SUSPENSION)
                        .until(3),
                SimSetup.late("failures", TWICE.renews(2), ONCE)
                        .with(1, FAILURE)
                        .with(1, FAILED_ANSWER),
                SimSetup.late("a failure for good", TWICE, WAITS).with(1, UNUSABLE),
                SimSetup.late("closing", TWICE, WAITS).with(1, CLOSING),
                SimSetup.late("pausing", TWO_WAIT, WAITS).with(1, PAUSING),
                SimSetup.late("force", TWO_WAIT, WAITS).with(1, EVICTION).with(1, DOUBLE),
                SimSetup.late("a connection that is lost", TWO_WAIT.renews(1), WAITS)
                        .with(1, RECONNECTION)
                        .with(1, LOSS),
                SimSetup.late(
                        "threads that barge",
                        SimRole.locks(3).threads().andWaits().barging(),
                        WAITS),
                SimSetup.late("limited waits, 2 ticks", ONCE.forAtMost(1).renews(2), WAITS)
                        .until(2),
                SimSetup.late("limited holds, 2 ticks", WAITS.holdsAtMost(1).renews(1), WAITS)
                        .until(2),
                SimSetup.late("an observer, a double", OBSERVES, WAITS).with(1, DOUBLE),
                SimSetup.late("an observer, pausing, a connection that is lost", OBSERVES, WAITS)
                        .with(1, PAUSING)
                        .with(1, RECONNECTION),
                SimSetup.late("readers that leave it taken, 1 tick", PERMIT2.andLeavesItTaken(2), WAITS)
                        .until(1),
                SimSetup.late(
                                "a writer that goes down and up, left taken, a double",
                                WAITS.reweights(2).andLeavesItTaken(4),
                                PERMIT)
                        .with(1, DOUBLE),
                SimSetup.late(
                                "2 of 3 permits, less of them and a moved end, left taken",
                                TWO.andWaits().holding(2).moves(1).reweights(1).andLeavesItTaken(4),
                                PERMIT)
                        .capacity(3));
    }

    private static final SimRole TWO = ONCE.weighing(2);
    private static final SimRole PERMIT2 = TWO_WAIT.weighing(1);

    /** Whoever runs is prompt, so that it can be said how long others may be held up. */
    static Stream<SimSetup> prompt() {
        SimRole slow = WAITS.leasing(9);
        return Stream.of(
                SimSetup.prompt("two losses, 10 ticks, leases of 9", slow, slow)
                        .with(2, LOSS)
                        .until(10),
                SimSetup.prompt("a yield, a loss, 3 ticks", TWO_WAIT, WAITS)
                        .with(1, LOSS)
                        .until(3),
                SimSetup.prompt("a pause, 6 ticks", WAITS, WAITS).with(1, STOP).until(6),
                SimSetup.prompt(
                                "a dead waiter with a fixed lease, 8 ticks",
                                WAITS,
                                ONCE.andDies().holding(6),
                                WAITS)
                        .until(8),
                SimSetup.prompt("a dead holder and a dead waiter, 15 ticks", slow.andDies(), slow.andDies(), slow)
                        .until(15),
                SimSetup.prompt("one that keeps, two losses, 7 ticks", slow.keepsFor(20), slow)
                        .with(2, LOSS)
                        .until(7),
                SimSetup.prompt("two that keep and another, 6 ticks", slow.keepsFor(20), slow.keepsFor(20), slow)
                        .until(6),
                SimSetup.prompt(
                                "a lock that stays taken, a loss, 6 ticks",
                                WAITS.andLeavesItTaken(2),
                                WAITS.andLeavesItTaken(2))
                        .with(1, LOSS)
                        .until(6),
                SimSetup.prompt("fixed leases, a loss and a crash, 9 ticks", WAITS.holding(4), WAITS.holding(4))
                        .with(1, LOSS)
                        .with(1, CRASH)
                        .until(9),
                SimSetup.prompt(
                                "tries again and again, 3 ticks",
                                SimRole.locks(3).andWaits().forAtMost(1),
                                WAITS)
                        .until(3),
                SimSetup.prompt("tries that do not wait, 2 ticks", mixed(), WAITS)
                        .until(2),
                SimSetup.prompt("at least two ticks, a loss, 5 ticks", WAITS.holdsAtLeast(2), WAITS)
                        .with(1, LOSS)
                        .until(5),
                SimSetup.prompt("limited holds, a loss, 5 ticks", WAITS.holdsAtMost(2), WAITS)
                        .with(1, LOSS)
                        .until(5),
                SimSetup.prompt("readers and a writer, 4 ticks", PERMIT2, WAITS).until(4),
                SimSetup.prompt(
                                "twice 1, and 2 of 3 permits, a loss, 4 ticks",
                                LASTING,
                                WAITS.weighing(2).leasing(9))
                        .capacity(3)
                        .with(1, LOSS)
                        .until(4),
                SimSetup.prompt("suspensions, 7 ticks", WAITS, WAITS)
                        .with(3, SUSPENSION)
                        .until(7),
                SimSetup.prompt("failures, 5 ticks", WAITS, WAITS)
                        .with(2, FAILURE)
                        .with(1, FAILED_ANSWER)
                        .until(5),
                SimSetup.prompt("an upgrade, a loss, 2 ticks", WAITS.reweights(2), PERMIT.andWaits())
                        .with(1, LOSS)
                        .until(2),
                SimSetup.prompt(
                                "an end that is moved, a loss, 6 ticks",
                                WAITS.holding(3).moves(1),
                                WAITS)
                        .with(1, LOSS)
                        .until(6),
                SimSetup.prompt("a longer wait, 5 ticks", WAITS.forAtMost(4), WAITS)
                        .until(5),
                SimSetup.prompt("give-ups, a loss, 2 ticks", TWICE, WAITS)
                        .with(1, LOSS)
                        .until(2),
                SimSetup.prompt(
                                "threads that barge, 2 ticks",
                                SimRole.locks(3).threads().andWaits().barging(),
                                WAITS)
                        .until(2));
    }

    /** A try that waits, two that do not, and another that waits. */
    private static SimRole mixed() {
        SimRole.Call waits = new SimRole.Call(false, 1, false, true, 0, 0);
        SimRole.Call tries = new SimRole.Call(true, 0, false, true, 0, 0);
        return SimRole.locks(0).calls(waits, waits, tries, waits);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void late(SimSetup setup) {
        isClean(setup);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void prompt(SimSetup setup) {
        isClean(setup);
    }

    private static void isClean(SimSetup setup) {
        assumeTrue(!Proof.isShort() || SMALLEST.contains(setup.name()), "takes long: ./verify --long runs it");
        Search.Outcome outcome = Search.run(setup);
        System.out.println(outcome);
        assertThat(outcome.violation()).isNull();
        assertThat(outcome.complete()).isTrue();
    }
}
