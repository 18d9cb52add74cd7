package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.belay.internal.ProtocolSearch.Outcome;
import io.belay.internal.Setup.Role;
import io.belay.internal.Violation.Kind;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule of the protocol is needed: with all of them a search is clean, without the one it finds a failure. */
class ProtocolRulesTest {
    private static final Role ONCE = Role.locks(1);

    static Stream<Arguments> rules() {
        Setup yields = Setup.late("late yields", ONCE.yields(2), ONCE).duplicates(1);
        Setup plain = Setup.late("nothing goes wrong", ONCE, ONCE);
        Role permit = Role.locks(1).weighing(1);
        return Stream.of(
                arguments(BrokenRule.SEQUENCE_NEED_NOT_MATCH, yields, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SEQUENCE_NEED_NOT_MATCH,
                        Setup.late("late downgrades", ONCE.reweights(2), permit).duplicates(1),
                        Kind.TWO_HOLDERS),
                arguments(BrokenRule.YIELD_KEEPS_SEQUENCE_IF_NOBODY_WAITS, yields, Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.NO_TOMBSTONE,
                        Setup.late("enters that are given up", ONCE.resends(1), ONCE),
                        Kind.ORPHAN),
                arguments(BrokenRule.LAST_MESSAGE_WINS, plain, Kind.GRANT_MISSED),
                arguments(BrokenRule.DEADLINE_FROM_RECEIPT_OF_ANSWER, plain.until(4), Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.DEADLINE_FROM_RECEIPT_OF_PUSH,
                        Setup.late("late pushes", ONCE, ONCE, ONCE).until(4),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.NO_PICK_UP,
                        Setup.prompt("a dead waiter with a fixed lease", ONCE, ONCE.holding(6), ONCE)
                                .crashes(1)
                                .until(9),
                        Kind.STANDSTILL),
                arguments(
                        BrokenRule.UPGRADE_LOOKS_AHEAD_ONLY,
                        Setup.late("upgrades", ONCE.reweights(2), permit),
                        Kind.TWO_HOLDERS),
                arguments(
                        BrokenRule.SMALLER_CAPACITY_REVOKES,
                        Setup.late("a smaller capacity", permit, permit)
                                .capacity(2)
                                .resizes(1),
                        Kind.GRANT_REVOKED),
                arguments(
                        BrokenRule.PUSH_OF_ANY_SERVER_COUNTS,
                        Setup.late("another server", ONCE, ONCE, ONCE)
                                .failovers(1)
                                .until(4),
                        Kind.TWO_HOLDERS));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rules")
    void withoutTheRuleTheSearchFindsAFailure(BrokenRule rule, Setup setup, Kind expected) {
        Outcome with = ProtocolSearch.run(setup);
        System.out.println(with);
        if (with.violation() != null) System.out.println(with.violation());
        Outcome without = ProtocolSearch.run(setup, rule, EnumSet.of(expected, Kind.ERROR));
        System.out.println("  without " + rule + ": " + without);
        System.out.println("    " + without.violation());
        assertThat(with.violation()).isNull();
        assertThat(without.violation()).isNotNull();
        assertThat(without.violation().kind()).isEqualTo(expected);
    }
}
