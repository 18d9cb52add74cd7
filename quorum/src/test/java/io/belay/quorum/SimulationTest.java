package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random faults: nobody holds what another holds, or waits for what nobody has. With a rule taken out, somebody does. */
@Tag("search")
class SimulationTest {
    private static final int STEPS = 2_000;

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(1, 10), LongStream.of(new Random().nextLong()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneHoldsItAtATimeAndTokensRise(long seed) {
        Simulation simulation = new Simulation(seed, FakeMember.NONE, 0);
        assertThat(simulation.run(STEPS)).as("seed %d", seed).isEmpty();
        assertThat(simulation.grants()).as("seed %d", seed).isGreaterThan(40);
    }

    private static void isFound(FakeMember.Lie lie, int majority, String violation) {
        for (long seed = 1; seed <= 60; seed++) {
            if (new Simulation(seed, lie, majority).run(STEPS).contains(violation)) {
                return;
            }
        }
        throw new AssertionError("the simulation does not see it");
    }

    @Test
    void withoutQuarantineTwoHoldIt() {
        isFound(
                new FakeMember.Lie() {
                    @Override
                    public Answer answer(Request request, Answer answer) {
                        return request.resource().equals(Member.BIRTH) && answer.state() == Answer.State.GRANTED
                                ? Answer.of(answer.state(), answer.time() + 10_000_000)
                                        .withClaim(answer.sequence(), answer.deadline() + 10_000_000)
                                        .from(answer.server())
                                : answer;
                    }
                },
                0,
                "both hold it");
    }

    @Test
    void whereABirthIsAskedForOnceTwoHoldIt() {
        Map<Long, Long> births = new HashMap<>();
        isFound(
                new FakeMember.Lie() {
                    @Override
                    public Answer answer(Request request, Answer answer) {
                        if (!request.resource().equals(Member.BIRTH) || answer.state() != Answer.State.GRANTED) {
                            return answer;
                        }
                        long first = births.computeIfAbsent(answer.server(), run -> answer.sequence());
                        return Answer.of(answer.state(), answer.time())
                                .withClaim(first, answer.deadline())
                                .from(answer.server());
                    }
                },
                0,
                "both hold it");
    }

    @Test
    void whereMembersTakeAnySequenceTokensFall() {
        isFound(
                new FakeMember.Lie() {
                    @Override
                    public Resource before(Request request, Resource state) {
                        return request instanceof Request.Enter
                                        && state.claims().isEmpty()
                                ? Resource.UNUSED
                                : state;
                    }
                },
                0,
                "comes after");
    }

    @Test
    void withLessThanAMajorityTwoHoldIt() {
        isFound(FakeMember.NONE, 2, "both hold it");
    }

    @Test
    void whereMembersEndAClaimSoonerThanTheyWereToldTwoHoldIt() {
        isFound(
                new FakeMember.Lie() {
                    @Override
                    public Request request(Request request) {
                        return request instanceof Request.Fix fix
                                ? Request.Fix.of(
                                        fix.resource(), fix.id(), fix.sequence(), fix.reweights(), fix.lease() / 2)
                                : request;
                    }

                    @Override
                    public Answer answer(Request request, Answer answer) {
                        return request instanceof Request.Fix fix && answer.state() == Answer.State.GRANTED
                                ? answer.withClaim(answer.sequence(), answer.time() + fix.lease())
                                : answer;
                    }
                },
                0,
                "both hold it");
    }
}
