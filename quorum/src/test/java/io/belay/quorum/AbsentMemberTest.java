package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Finding;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said of a member that goes away, or gives no vote any more, while the others are a majority. */
class AbsentMemberTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = Stream.generate(
                    () -> new FakeMember(clock, random, 7_200_000_000L, FakeMember.NONE))
            .limit(3)
            .toList();

    private final QuorumUrl url = new QuorumUrl(
            List.of("redis://away:1", "redis://away:2", "redis://away:3"), LONGEST, Duration.ofMillis(200));

    static List<String> logged(Runnable meanwhile) {
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

    /** It would be taken for new, which no longer lasts than the longest lease, and its clock would be left as it is. */
    @Test
    void oneWhoseClockWasSetBackIsNotToldAsNew() {
        SimClient client = new SimClient(1, clock, random, url, 0, members, granted -> {});
        clock.run(LONGEST.toMillis() + 20); // they are no longer new
        members.get(1).setClockBack(Duration.ofHours(1));
        assertThat(logged(() -> {
                    for (int i = 0; i < 3; i++) {
                        client.enter(true);
                        clock.run(100);
                        client.leave();
                        clock.run(100);
                    }
                }))
                .singleElement()
                .asString()
                .contains(
                        "WARN",
                        "member 2 of 3 (redis://away:2) gives no vote until its clock is right: that was set back, by 3596 s at"
                                + " least");
        assertThat(new Examination(
                                url,
                                members.stream().map(member -> provider(member)).toList())
                        .findings())
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.subject()).isEqualTo("member 2 of 3 (redis://away:2), clock");
                    assertThat(finding.finding()).contains("that was set back, by 3596 s at least");
                });
    }

    /** A restart counts as one that forgot, whatever was kept; but one that takes no writes is as good as gone. */
    @Test
    void whatAMemberKeepsOnDiskIsOfNoConcern() {
        SimClient client = new SimClient(1, clock, random, url, 0, members, granted -> {});
        clock.run(LONGEST.toMillis() + 20); // they are no longer new
        client.store.close();
        Finding forgets = Finding.of(Finding.Severity.WARNING, "persistence", "A restart forgets all.", "Keep it.");
        Finding refuses = Finding.of(Finding.Severity.DANGER, "persistence", "It refuses all.", "Free its disk.");
        Finding open = Finding.of(Finding.Severity.WARNING, "password", "There is none.", "Set one.");
        assertThat(new Examination(
                                url,
                                members.stream()
                                        .map(member -> provider(member, forgets, refuses, open))
                                        .toList())
                        .findings())
                .extracting(Finding::finding)
                .containsOnly("It refuses all.", "There is none.");
    }

    /** Leads to a member whose answers are there at once. */
    static StoreProvider provider(FakeMember member, Finding... findings) {
        return new StoreProvider() {
            @Override
            public Set<String> schemes() {
                return Set.of();
            }

            @Override
            public List<Finding> examine(String url) {
                return List.of(findings);
            }

            @Override
            public Store open(String url, long client, Store.Listener listener) {
                return new Store() {
                    @Override
                    public Capabilities capabilities() {
                        return Capabilities.none();
                    }

                    @Override
                    public CompletionStage<Answer> send(Request request) {
                        return CompletableFuture.completedStage(member.run(request));
                    }

                    @Override
                    public CompletionStage<Snapshot> inspect(String resource) {
                        return CompletableFuture.completedStage(member.inspect(resource));
                    }

                    @Override
                    public CompletionStage<NamePage> names(String prefix, String cursor) {
                        throw new AssertionError("nobody asks");
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }

    @Test
    void oneThatIsAwayForLongIsNamedOnceEachTime() {
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
