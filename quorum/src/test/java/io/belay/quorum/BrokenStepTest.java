package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim that waits, and a step of which an Error breaks off: the engine's next question has it go on. */
class BrokenStepTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final long THIRD = LONGEST.toMillis() / 3;

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = new ArrayList<>();

    private SimClient client(int number) {
        QuorumUrl url = new QuorumUrl(List.of("fake:1", "fake:2", "fake:3"), LONGEST, Duration.ofMillis(200));
        return new SimClient(number, clock, random, url, 0, members, granted -> {});
    }

    static IntStream timers() {
        return IntStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("timers")
    void aClaimWhoseTimerCannotBeSetIsGrantedAllTheSame(int which) {
        for (int i = 0; i < 3; i++) {
            members.add(new FakeMember(clock, random, 0, FakeMember.NONE));
        }
        SimClient holder = client(1);
        SimClient waiter = client(2);
        clock.run(LONGEST.toMillis() + 20); // the members are no longer new
        holder.enter(false);
        clock.run(20);
        assertThat(holder.isHeld()).isTrue();
        clock.failTimer(which);
        waiter.enter(false);
        for (int i = 0; !clock.hasFailed(); i++) {
            assertThat(i).as("looks").isLessThan(100);
            clock.run(THIRD);
            waiter.renew(false);
        }
        holder.leave();
        for (int i = 0; i < 6 && !waiter.isHeld(); i++) {
            clock.run(THIRD);
            waiter.renew(false);
        }
        clock.run(20);
        assertThat(waiter.isHeld()).isTrue();
    }
}
