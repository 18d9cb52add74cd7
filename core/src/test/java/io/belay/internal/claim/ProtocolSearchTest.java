package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.internal.claim.ProtocolSearch.Outcome;
import io.belay.internal.claim.SimSetup.Role;
import io.belay.servers.Proof;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No order of events breaks a promise of the protocol. Each search is complete within its limits: how often each thing
 * may happen, and until which tick. Leases are 3 ticks where nothing else is said; a pick-up time is 2.
 */
@Tag("search")
class ProtocolSearchTest {
    private static final Role ONCE = Role.locks(1);
    private static final Role TWICE = Role.locks(2);
    /** The ones of up to a hundred and forty thousand states, together half a million: all that the short proof searches. */
    private static final Set<String> SMALLEST = Set.of(
            "a yield each, two doubles",
            "only if free, re-sent",
            "2, 1 and 2 of 3 permits, one withdrawn",
            "2 of 3 permits each, less and more of them, a double",
            "two keepers, two rounds, a double",
            "a keeper and a yield, 2 ticks",
            "a dead waiter with a fixed lease, 9 ticks",
            "a dead holder and a dead waiter, 15 ticks",
            "a keeper, two losses, 9 ticks");
    /** Those of half a million states and more, of which a seed chooses some each time. */
    private static final List<String> LARGEST = List.of(
            "a yield and a re-send each, a double",
            "two rounds, a yield each, a double",
            "a renewal each, 4 ticks",
            "three clients, 4 ticks",
            "a yield, a loss, 5 ticks",
            "two keepers and another, a loss, 9 ticks",
            "fixed leases whose ends are moved, re-sent, 2 ticks");

    private static final int OF_THE_LARGEST = 2;
    private static final Set<String> LEFT_OUT = leftOut();

    private static Set<String> leftOut() {
        if ("all".equals(System.getProperty("belay.search"))) {
            return Set.of();
        }
        long seed = Long.getLong("belay.seed", new Random().nextLong());
        List<String> drawn = new ArrayList<>(LARGEST);
        Collections.shuffle(drawn, new Random(seed));
        if (!Proof.isShort()) {
            System.out.println(
                    "-Dbelay.seed=" + seed + " searches, of the largest: " + drawn.subList(0, OF_THE_LARGEST));
        }
        return Set.copyOf(drawn.subList(OF_THE_LARGEST, drawn.size()));
    }

    private static final Role WAITS = ONCE.andWaits();
    private static final Role DIES = ONCE.andDies();
    private static final Role PERMIT = ONCE.weighing(1);

    /** Everything may be arbitrarily late, out of order, and doubled: nothing depends on anybody being prompt. */
    static Stream<SimSetup> late() {
        return Stream.of(
                SimSetup.late("a yield each, two doubles", ONCE.yields(1), ONCE.yields(1))
                        .duplicates(2),
                SimSetup.late(
                                "a yield and a re-send each, a double",
                                ONCE.yields(1).resends(1),
                                ONCE.yields(1).resends(1))
                        .duplicates(1),
                SimSetup.late("two rounds, a yield each, a double", TWICE.yields(1), ONCE.yields(1))
                        .duplicates(1),
                SimSetup.late("two rounds, re-sent enters", TWICE.resends(1), ONCE.resends(1)),
                SimSetup.late("three clients, a yield, a double", ONCE.yields(1), ONCE, ONCE)
                        .duplicates(1),
                SimSetup.late(
                                "a yield and a renewal each, a loss",
                                ONCE.yields(1).renews(1),
                                ONCE.yields(1).renews(1))
                        .losses(1),
                SimSetup.late("only if free, re-sent", TWICE.onlyIfFree().resends(1), ONCE),
                SimSetup.late("re-sent enters, 4 ticks", ONCE.resends(1), ONCE).until(4),
                SimSetup.late("a yield and a re-send, 2 ticks", ONCE.resends(1).yields(1), ONCE)
                        .until(2),
                SimSetup.late("a renewal each, 4 ticks", ONCE.renews(1), ONCE.renews(1))
                        .until(4),
                SimSetup.late("three clients, 4 ticks", WAITS, WAITS, WAITS).until(4),
                SimSetup.late(
                                "fixed leases, 5 ticks",
                                ONCE.holding(2).renews(2),
                                ONCE.holding(2).renews(2))
                        .until(5),
                SimSetup.late("a writer that goes down and up, a double", ONCE.reweights(2), PERMIT, PERMIT)
                        .duplicates(1),
                SimSetup.late("a writer that goes down, 2 ticks", ONCE.reweights(1), PERMIT, WAITS)
                        .until(2),
                SimSetup.late(
                                "2, 1 and 2 of 3 permits, one withdrawn",
                                ONCE.weighing(2).renews(1),
                                PERMIT,
                                ONCE.weighing(2))
                        .capacity(3)
                        .resizes(1),
                SimSetup.late(
                                "2 of 3 permits each, less and more of them, a double",
                                ONCE.weighing(2).reweights(2),
                                ONCE.weighing(2).reweights(2))
                        .capacity(3)
                        .duplicates(1),
                SimSetup.late(
                                "2 of 3 permits each, less and more of them, re-sent",
                                ONCE.weighing(2).reweights(2).resends(1),
                                ONCE.weighing(2).reweights(2).resends(1))
                        .capacity(3),
                SimSetup.late("two keepers, two rounds, a double", TWICE.andKeeps(), TWICE.andKeeps())
                        .duplicates(1),
                SimSetup.late("a keeper and a yield, 2 ticks", ONCE.andKeeps(), ONCE.yields(1))
                        .until(2),
                SimSetup.late(
                                "a fixed lease whose end is moved twice, a double, 2 ticks",
                                ONCE.holding(2).fixes(2),
                                WAITS)
                        .duplicates(1)
                        .until(2),
                SimSetup.late(
                                "fixed leases whose ends are moved, re-sent, 2 ticks",
                                ONCE.holding(2).fixes(1).resends(1),
                                ONCE.holding(2).fixes(1))
                        .until(2),
                SimSetup.late(
                                "locks that stay taken, a renewal, 3 ticks",
                                ONCE.andLeavesItTaken().renews(1),
                                ONCE.andLeavesItTaken())
                        .until(3),
                SimSetup.late(
                                "a fixed lease that is moved and stays taken, re-sent, 3 ticks",
                                ONCE.holding(2).fixes(1).resends(1).andLeavesItTaken(),
                                WAITS)
                        .until(3),
                SimSetup.late("another server, 2 ticks", ONCE, WAITS, WAITS)
                        .failovers(1)
                        .until(2));
    }

    /** Whoever runs is prompt, so that it can be said how long others may be held up. */
    static Stream<SimSetup> prompt() {
        Role slow = WAITS.leasing(9);
        return Stream.of(
                SimSetup.prompt("two losses, 10 ticks, leases of 9", slow, slow)
                        .losses(2)
                        .until(10),
                SimSetup.prompt("a yield, a loss, 5 ticks", WAITS.yields(1), WAITS.yields(1))
                        .losses(1)
                        .until(5),
                SimSetup.prompt("a pause, 7 ticks", WAITS, WAITS).pauses(1).until(7),
                SimSetup.prompt("a dead waiter with a fixed lease, 9 ticks", WAITS, DIES.holding(6), WAITS)
                        .until(9),
                SimSetup.prompt(
                                "two dead waiters with fixed leases, 9 ticks",
                                WAITS,
                                DIES.holding(6),
                                DIES.holding(9),
                                WAITS)
                        .until(9),
                SimSetup.prompt("a dead holder and a dead waiter, 15 ticks", DIES.leasing(9), DIES.leasing(9), slow)
                        .until(15),
                SimSetup.prompt("a keeper, two losses, 9 ticks", slow.andKeeps(), slow)
                        .losses(2)
                        .until(9),
                SimSetup.prompt("two keepers and another, a loss, 9 ticks", slow.andKeeps(), slow.andKeeps(), slow)
                        .losses(1)
                        .until(9),
                SimSetup.prompt(
                                "a lock that stays taken, a loss, 8 ticks",
                                WAITS.andLeavesItTaken(),
                                WAITS.andLeavesItTaken())
                        .losses(1)
                        .until(8),
                SimSetup.prompt("fixed leases, a loss and a crash, 9 ticks", ONCE.holding(4), ONCE.holding(4))
                        .losses(1)
                        .crashes(1)
                        .until(9));
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
        assumeTrue(!LEFT_OUT.contains(setup.name()), "takes very long: -Dbelay.search=all runs it, too");
        Outcome outcome = ProtocolSearch.run(setup);
        System.out.println(outcome);
        assertThat(outcome.violation()).isNull();
        assertThat(outcome.complete()).isTrue();
    }
}
