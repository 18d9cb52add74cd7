package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A chunk of renewals of the locks a, b and c, of which that of b has trouble with members. */
class RenewalTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMillis(200);
    private static final long LEASE = LONGEST.toNanos() / 1000;

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = new ArrayList<>();
    /** By member, the resources that it has something else for. */
    private final List<Set<String>> damaged = new ArrayList<>();

    private SimClient client;
    private final List<Request.Renew> chunk = new ArrayList<>();

    @BeforeEach
    void hold() {
        for (int i = 0; i < 3; i++) {
            Set<String> damage = new HashSet<>();
            damaged.add(damage);
            members.add(new FakeMember(clock, random, 0, new FakeMember.Lie() {
                @Override
                public Request request(Request request) {
                    if (damage.contains(request.resource())) {
                        throw StoreException.unusable("holds rubbish", null);
                    }
                    return request;
                }
            }));
        }
        QuorumUrl url = new QuorumUrl(List.of("fake:1", "fake:2", "fake:3"), LONGEST, TIMEOUT);
        client = new SimClient(1, clock, random, url, 0, members, granted -> {});
        clock.run(LONGEST.toMillis() + 20); // they are no longer new
        Owner owner = Owner.of("c", "h", 1, "t");
        for (String name : List.of("a", "b", "c")) {
            ClaimId id = ClaimId.of(1, chunk.size() + 1);
            Request.Enter enter =
                    Request.Enter.of(name, id, ClaimSpec.whole(LEASE).withIfFree(true), 0, owner);
            CompletableFuture<Answer> entered = client.store.send(enter).toCompletableFuture();
            clock.run(20);
            chunk.add(Request.Renew.of(name, id, entered.join().sequence(), LEASE, 0, false));
        }
    }

    private List<CompletableFuture<Answer>> renew() {
        return client.store.renew(chunk).stream()
                .map(stage -> stage.toCompletableFuture())
                .toList();
    }

    private static void assertRenewed(Stream<CompletableFuture<Answer>> answers) {
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer).isDone();
            assertThat(answer.join().state()).isEqualTo(State.GRANTED);
        });
    }

    @Test
    void failsByItself() {
        damaged.get(0).add("b");
        damaged.get(2).add("b");
        List<CompletableFuture<Answer>> answers = renew();
        clock.run(20);
        assertRenewed(Stream.of(answers.get(0), answers.get(2)));
        assertThat(answers.get(1)).isDone();
        assertThatThrownBy(answers.get(1)::join)
                .hasMessageContaining("fewer than 2 of the 3 members of the quorum answer; holds rubbish");
    }

    @Test
    void doesNotFailWhileAMajorityAnswers() {
        damaged.get(0).add("b");
        List<CompletableFuture<Answer>> answers = renew();
        clock.run(20);
        assertRenewed(answers.stream());
    }

    @Test
    void isWaitedForByNobodyElse() {
        damaged.get(0).add("b");
        members.get(1).hang();
        List<CompletableFuture<Answer>> answers = renew();
        clock.run(20);
        assertRenewed(Stream.of(answers.get(0), answers.get(2)));
        assertThat(answers.get(1)).isNotDone();
        clock.run(TIMEOUT.toMillis());
        assertThat(answers.get(1)).isCompletedExceptionally();
    }
}
