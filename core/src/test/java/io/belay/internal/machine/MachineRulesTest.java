package io.belay.internal.machine;

import static io.belay.internal.machine.SimSetup.Mishap.DOUBLE;
import static io.belay.internal.machine.SimSetup.Mishap.FAILOVER;
import static io.belay.internal.machine.SimSetup.Mishap.LOSS;
import static io.belay.internal.machine.SimSetup.Mishap.RESIZE;
import static io.belay.internal.machine.SimSetup.Mishap.SETBACK;
import static io.belay.internal.machine.SimSetup.Mishap.SUSPENSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.belay.internal.machine.Violation.Kind;
import io.belay.servers.Proof;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** These rules of the protocol are needed: with all of them a search is clean, without the one it finds a failure. */
@Tag("search")
class MachineRulesTest {
    private static final SimRole ONCE = SimRole.locks(1);
    private static final SimRole WAITS = ONCE.andWaits();
    private static final SimRole TWO_WAIT = SimRole.locks(2).andWaits();
    private static final SimRole PERMIT = ONCE.weighing(1);
    private static final SimRole PERMIT_WAITS = PERMIT.andWaits();
    private static final SimRole TWO_PERMITS = ONCE.weighing(2);

    /** What was found with all rules: several of them share a search. */
    private static final Map<SimSetup, Search.Outcome> CLEAN = new HashMap<>();

    private static final SimSetup PLAIN = SimSetup.late("nothing goes wrong", ONCE, ONCE);
    private static final SimSetup YIELDS =
            SimSetup.late("late yields", TWO_WAIT, ONCE).with(1, DOUBLE);
    private static final SimSetup MANY_YIELDS =
            SimSetup.late("two late yields", SimRole.locks(3).andWaits(), WAITS).with(1, DOUBLE);
    private static final SimSetup FIXES = SimSetup.late(
                    "ends that are moved", WAITS.holding(2).moves(2), WAITS)
            .until(3);
    private static final SimSetup GIVEN_UP =
            SimSetup.late("enters that are given up", ONCE.renews(1), ONCE).until(1);
    private static final SimSetup LONG_LEASES = SimSetup.prompt("a loss", WAITS.leasing(9), WAITS.leasing(9))
            .with(1, LOSS)
            .until(8);

    static Stream<Arguments> rules() {
        return Stream.of(
                arguments(BrokenRule.SEQUENCE_NEED_NOT_MATCH, YIELDS, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SEQUENCE_NEED_NOT_MATCH,
                        SimSetup.late("late downgrades", WAITS.reweights(2), PERMIT)
                                .with(1, DOUBLE),
                        Kind.TWO_HOLDERS),
                arguments(BrokenRule.YIELD_KEEPS_SEQUENCE_IF_NOBODY_WAITS, MANY_YIELDS, Kind.TWO_HOLDERS),
                arguments(BrokenRule.NO_TOMBSTONE, GIVEN_UP, Kind.ORPHAN),
                arguments(BrokenRule.LAST_MESSAGE_WINS, PLAIN.with(1, DOUBLE), Kind.GRANT_MISSED),
                arguments(BrokenRule.DEADLINE_FROM_RECEIPT_OF_ANSWER, PLAIN.until(4), Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.DEADLINE_FROM_RECEIPT_OF_PUSH,
                        SimSetup.late("late pushes", WAITS, WAITS, WAITS).until(3),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.NO_PICK_UP,
                        SimSetup.prompt(
                                        "a dead waiter with a fixed lease",
                                        WAITS,
                                        ONCE.andDies().holding(6),
                                        WAITS)
                                .until(7),
                        Kind.STANDSTILL),
                arguments(
                        BrokenRule.UPGRADE_LOOKS_AHEAD_ONLY,
                        SimSetup.late("upgrades", WAITS.reweights(2), PERMIT),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.UPGRADE_LOOKS_AHEAD_ONLY,
                        SimSetup.late("two that ask for more permits", TWO_PERMITS.reweights(2), TWO_PERMITS)
                                .capacity(3),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.LAST_HOLDER_ALONE_COUNTS,
                        SimSetup.late("2, 1 and 2 of 3 permits", TWO_PERMITS, PERMIT, TWO_PERMITS)
                                .capacity(3),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SMALLER_CAPACITY_REVOKES,
                        SimSetup.late("a smaller capacity", PERMIT, PERMIT)
                                .capacity(2)
                                .with(1, RESIZE),
                        Kind.GRANT_REVOKED),
                arguments(
                        BrokenRule.KEEPER_IS_NOT_TOLD,
                        SimSetup.prompt("one that keeps", WAITS.keepsFor(20).leasing(15), WAITS.leasing(15))
                                .until(9),
                        Kind.STANDSTILL),
                arguments(
                        BrokenRule.ROOM_IS_NOT_TOLD,
                        SimSetup.prompt("1 and 2 of 3 permits", PERMIT_WAITS, PERMIT_WAITS.weighing(2), PERMIT_WAITS)
                                .capacity(3)
                                .until(1),
                        Kind.GRANT_MISSED),
                arguments(BrokenRule.LAST_FIX_COUNTS, FIXES, Kind.TWO_HOLDERS),
                arguments(BrokenRule.EARLIER_END_IS_BELIEVED_ONCE_ANSWERED, FIXES, Kind.TWO_HOLDERS),
                arguments(BrokenRule.OLDER_ANSWER_MOVES_THE_END, FIXES, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.PUSH_OF_ANY_SERVER_COUNTS,
                        SimSetup.late("another server", WAITS, WAITS, WAITS)
                                .with(1, FAILOVER)
                                .until(2),
                        Kind.TWO_HOLDERS));
    }

    static Stream<Arguments> steps() {
        return Stream.of(
                arguments(
                        BrokenStep.SUSPENSION_IS_NOT_SEEN,
                        SimSetup.prompt("suspensions", WAITS, WAITS)
                                .with(3, SUSPENSION)
                                .until(6),
                        Kind.TWO_HOLDERS),
                arguments(BrokenStep.LEAVE_DOES_NOT_SAY_UNCLEAR, GIVEN_UP, Kind.ORPHAN),
                arguments(BrokenStep.OLD_GRANT_ANSWERS_A_YIELD, YIELDS, Kind.TWO_HOLDERS),
                arguments(
                        BrokenStep.OLD_PLACE_ANSWERS_A_YIELD,
                        SimSetup.late("a server that missed a write", TWO_WAIT.leasing(9), WAITS)
                                .with(1, SETBACK)
                                .until(1),
                        Kind.TOKEN_FELL),
                arguments(BrokenStep.OLDER_SEQUENCE_COUNTS, YIELDS, Kind.TWO_HOLDERS),
                arguments(BrokenStep.LEAVE_IS_SENT_ONCE, LONG_LEASES, Kind.STANDSTILL),
                arguments(BrokenStep.WAITERS_DO_NOT_ASK, LONG_LEASES, Kind.STANDSTILL),
                arguments(
                        BrokenStep.WAITERS_DO_NOT_ASK,
                        SimSetup.prompt(
                                        "twice 1, and 2 of 3 permits, a loss",
                                        TWO_WAIT.weighing(1).leasing(9),
                                        WAITS.weighing(2).leasing(9))
                                .capacity(3)
                                .with(1, LOSS)
                                .until(4),
                        Kind.STANDSTILL),
                arguments(
                        BrokenStep.HOLDERS_DO_NOT_RENEW,
                        SimSetup.prompt("nothing goes wrong, 4 ticks", WAITS, WAITS)
                                .until(4),
                        Kind.LOST_FOR_NOTHING),
                arguments(
                        BrokenStep.TOKENS_ARE_NOT_COUNTED_ON,
                        SimSetup.late("a hand-over", TWO_WAIT.turns(4), WAITS),
                        Kind.TOKEN_FELL),
                arguments(
                        BrokenStep.LOSS_IS_NOT_TOLD,
                        SimSetup.prompt("limited holds", WAITS.holdsAtMost(1), WAITS)
                                .until(3),
                        Kind.UNTOLD),
                arguments(
                        BrokenStep.BUSY_IS_NOT_TOLD,
                        SimSetup.late("only if free", WAITS.onlyIfFree(), WAITS),
                        Kind.UNTOLD),
                arguments(
                        BrokenStep.END_IS_NOT_SEEN,
                        SimSetup.prompt("fixed leases", WAITS.holding(2), WAITS.holding(2))
                                .until(4),
                        Kind.BUSY_LOOP),
                arguments(BrokenStep.EARLY_PUSH_IS_NO_HINT, PLAIN, Kind.GRANT_MISSED));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({"rules", "steps"})
    void withoutTheRuleTheSearchFindsAFailure(Mutant rule, SimSetup setup, Kind expected) {
        Search.Outcome without = Search.run(setup, rule, EnumSet.of(expected, Kind.ERROR));
        System.out.println(rule + "\n  without it: " + without);
        assertThat(without.violation()).isNotNull().extracting(Violation::kind).isEqualTo(expected);
        if (Proof.isShort()) {
            return;
        }
        // With it, the search goes on as far as it took to find the failure; MachineSearchTest goes to the end.
        Search.Outcome with = CLEAN.computeIfAbsent(setup.most(without.states()), Search::run);
        assertThat(with.violation()).isNull();
    }
}
