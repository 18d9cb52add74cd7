package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.internal.ProtocolSearch.Outcome;
import io.belay.internal.Setup.Role;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtocolSearchTest {
    static Stream<Setup> setups() {
        return Stream.of(
                Setup.late(
                                "two, one yield each, a doubled message",
                                Role.locks(1).yields(1),
                                Role.locks(1).yields(1))
                        .duplicates(1),
                Setup.late(
                                "two, one yield each, two doubled messages",
                                Role.locks(1).yields(1),
                                Role.locks(1).yields(1))
                        .duplicates(2),
                Setup.late(
                        "re-sent enters",
                        Role.locks(2).resends(1),
                        Role.locks(2).resends(1)),
                Setup.late("three", Role.locks(1), Role.locks(1), Role.locks(1)),
                Setup.late("time", Role.locks(1).renews(1), Role.locks(1).renews(1))
                        .until(4));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void noOrderOfEventsBreaksAPromise(Setup setup) {
        Outcome outcome = ProtocolSearch.run(setup);
        System.out.println(outcome);
        if (outcome.violation() != null) System.out.println(outcome.violation());
        assertThat(outcome.violation()).isNull();
    }
}
