package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.belay.internal.claim.ProtocolSearch.Outcome;
import io.belay.internal.claim.SimSetup.Role;
import io.belay.internal.claim.Violation.Kind;
import io.belay.servers.Proof;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule of the protocol is needed: with all of them a search is clean, without the one it finds a failure. */
@Tag("search")
class ProtocolRulesTest {
    private static final Role ONCE = Role.locks(1);
    private static final Role WAITS = ONCE.andWaits();

    /** What was found with all rules: several of them share a search. */
    private static final Map<SimSetup, Outcome> CLEAN = new HashMap<>();

    static Stream<Arguments> rules() {
        SimSetup yields = SimSetup.late("late yields", ONCE.yields(2), ONCE).duplicates(1);
        SimSetup plain = SimSetup.late("nothing goes wrong", ONCE, ONCE);
        SimSetup fixes = SimSetup.late("ends that are moved", ONCE.holding(2).fixes(2), WAITS)
                .until(4);
        Role permit = Role.locks(1).weighing(1);
        Role twoPermits = permit.weighing(2);
        return Stream.of(
                arguments(BrokenRule.SEQUENCE_NEED_NOT_MATCH, yields, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SEQUENCE_NEED_NOT_MATCH,
                        SimSetup.late("late downgrades", ONCE.reweights(2), permit)
                                .duplicates(1),
                        Kind.TWO_HOLDERS),
                arguments(BrokenRule.YIELD_KEEPS_SEQUENCE_IF_NOBODY_WAITS, yields, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.NO_TOMBSTONE,
                        SimSetup.late("enters that are given up", ONCE.resends(1), ONCE),
                        Kind.ORPHAN),
                arguments(BrokenRule.LAST_MESSAGE_WINS, plain, Kind.GRANT_MISSED),
                arguments(BrokenRule.DEADLINE_FROM_RECEIPT_OF_ANSWER, plain.until(4), Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.DEADLINE_FROM_RECEIPT_OF_PUSH,
                        SimSetup.late("late pushes", ONCE, WAITS, WAITS).until(3),
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
                        SimSetup.late("upgrades", ONCE.reweights(2), permit),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.UPGRADE_LOOKS_AHEAD_ONLY,
                        SimSetup.late("two that ask for more permits", twoPermits.reweights(2), twoPermits)
                                .capacity(3),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.LAST_HOLDER_ALONE_COUNTS,
                        SimSetup.late("2, 1 and 2 of 3 permits", twoPermits, permit, twoPermits)
                                .capacity(3),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SMALLER_CAPACITY_REVOKES,
                        SimSetup.late("a smaller capacity", permit, permit)
                                .capacity(2)
                                .resizes(1),
                        Kind.GRANT_REVOKED),
                arguments(
                        BrokenRule.KEEPER_IS_NOT_TOLD,
                        SimSetup.prompt("a keeper", WAITS.andKeeps().leasing(15), WAITS.leasing(15))
                                .until(9),
                        Kind.STANDSTILL),
                arguments(BrokenRule.LAST_FIX_COUNTS, fixes, Kind.TWO_HOLDERS),
                arguments(BrokenRule.EARLIER_END_IS_BELIEVED_ONCE_ANSWERED, fixes, Kind.TWO_HOLDERS),
                arguments(BrokenRule.OLDER_ANSWER_MOVES_THE_END, fixes, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.PUSH_OF_ANY_SERVER_COUNTS,
                        SimSetup.late("another server", ONCE, WAITS, WAITS)
                                .failovers(1)
                                .until(2),
                        Kind.TWO_HOLDERS));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rules")
    void withoutTheRuleTheSearchFindsAFailure(BrokenRule rule, SimSetup setup, Kind expected) {
        Outcome without = ProtocolSearch.run(setup, rule, EnumSet.of(expected, Kind.ERROR));
        assertThat(without.violation()).isNotNull().extracting(Violation::kind).isEqualTo(expected);
        // With it, the search goes on to its end, or in the short proof as far as it took to find the failure.
        Outcome with =
                CLEAN.computeIfAbsent(Proof.isShort() ? setup.most(without.states()) : setup, ProtocolSearch::run);
        System.out.println(rule + ": " + with + "\n  without it: " + without);
        assertThat(with.violation()).isNull();
        assertThat(with.complete() || Proof.isShort()).isTrue();
    }
}
