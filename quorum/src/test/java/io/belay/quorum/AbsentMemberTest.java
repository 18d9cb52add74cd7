package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the log says of a member that was there and goes away, while the others are a majority. */
class AbsentMemberTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = Stream.generate(() -> new FakeMember(clock, random, 0, FakeMember.NONE))
            .limit(3)
            .toList();

    private static List<String> logged(Runnable meanwhile) {
        Log.flush(PATIENCE);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        try (PrintStream capture = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            System.setErr(capture);
            meanwhile.run();
            Log.flush(PATIENCE);
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("(redis://away:"))
                .toList();
    }

    private void use(SimClient client, int seconds) {
        for (int i = 0; i < seconds; i++) {
            client.store.inspect("x");
            clock.run(1_000);
        }
    }

    @Test
    void oneThatIsAwayForLongIsNamedOnceEachTime() {
        QuorumUrl url = new QuorumUrl(
                List.of("redis://away:1", "redis://away:2", "redis://away:3"), LONGEST, Duration.ofMillis(200));
        SimClient client = new SimClient(1, clock, random, url, 0, members, granted -> {});
        clock.run(LONGEST.toMillis() + 20); // they are no longer new
        assertThat(logged(() -> {
                    members.get(1).crash();
                    use(client, 50);
                    members.get(1).comeBack();
                    use(client, 10);
                }))
                .as("a restart")
                .isEmpty();
        for (int time = 0; time < 2; time++) {
            members.get(1).crash();
            assertThat(logged(() -> use(client, 200)))
                    .singleElement()
                    .asString()
                    .contains("WARN", "member 2 of 3 (redis://away:2) has answered nothing for a minute: it is down");
            members.get(1).comeBack();
            use(client, 10);
        }
    }
}
