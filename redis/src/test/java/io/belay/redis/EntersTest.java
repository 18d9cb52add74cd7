package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leaves of claims whose enter is not answered, on a real server: what it remembers of them, and what it must. */
class EntersTest {
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private RedisServer redis;
    private TcpProxy proxy;
    private Store store;

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start(RedisServer.Version.V7_0);
        proxy = TcpProxy.to(redis);
        store = Redis.at(proxy.url() + "?timeout=1m").open(1, new RecordingListener());
    }

    @AfterEach
    void end() {
        store.close();
        proxy.close();
        redis.close();
    }

    private CompletionStage<Answer> enter(long number) {
        return store.send(Request.Enter.of(
                "x", ClaimId.of(1, number), ClaimSpec.whole(30_000_000).withSticky(true), 0, OWNER));
    }

    private CompletionStage<Answer> leave(long number) {
        return store.send(Request.Leave.of("x", ClaimId.of(1, number), true));
    }

    private static Answer.State state(CompletionStage<Answer> answer) {
        return answer.toCompletableFuture().join().state();
    }

    private static Resource resource(Store store) {
        return store.inspect("x").toCompletableFuture().join().resource().orElse(Resource.UNUSED);
    }

    @Test
    void aLeaveBehindItsEnterOnOneConnectionLeavesNothingToRemember() {
        state(enter(100)); // so that the scripts are there
        state(leave(100));
        state(enter(101));
        state(store.send(Request.Leave.of("x", ClaimId.of(1, 101), false)));
        proxy.silenceReplies();
        List<CompletionStage<Answer>> left = new ArrayList<>();
        try (Store other = Redis.at(redis.url() + "?timeout=1m").open(2, new RecordingListener())) {
            for (int i = 1; i <= 10; i++) {
                ClaimId id = ClaimId.of(1, i);
                enter(i);
                await().until(() -> resource(other).claims().stream()
                        .anyMatch(claim -> claim.id().equals(id)));
                left.add(leave(i));
            }
        }
        proxy.pass();
        assertThat(left).extracting(EntersTest::state).containsOnly(Answer.State.LEFT);
        assertThat(resource(store).claims()).isEmpty();
        assertThat(resource(store).tombstones()).hasSizeLessThan(2);
    }

    /** The thread of the connection is busy, so that the enter is still in its queue when the leave is sent. */
    @Test
    void aLeaveBehindAnEnterThatIsNotWrittenYetLeavesNothingToRemember() throws Exception {
        state(enter(100));
        state(leave(100));
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        proxy.silenceReplies(); // or this thread would be the one that pauses
        CompletionStage<Void> answered = enter(1).thenAccept(answer -> {
            busy.countDown();
            pause(goesOn);
        });
        proxy.pass();
        busy.await();
        CompletionStage<Answer> entered = enter(2);
        CompletionStage<Answer> left = leave(2);
        goesOn.countDown();
        answered.toCompletableFuture().join();
        assertThat(state(entered)).isEqualTo(Answer.State.WAITING);
        assertThat(state(left)).isEqualTo(Answer.State.LEFT);
        assertThat(resource(store).tombstones())
                .extracting(Resource.Tombstone::id)
                .doesNotContain(ClaimId.of(1, 2));
        assertThat(resource(store).claims()).extracting(Claim::id).containsExactly(ClaimId.of(1, 1));
    }

    private static void pause(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The enter was answered with that the script is missing, and would be sent again behind its leave. */
    @Test
    void anEnterIsNotRepeatedBehindItsLeave() throws Exception {
        for (int i = 1; i <= 50; i++) {
            redis.command("SCRIPT", "FLUSH");
            CompletionStage<Answer> entered = enter(i);
            state(leave(i));
            entered.handle((answer, error) -> null).toCompletableFuture().join();
            assertThat(resource(store).claims()).isEmpty();
        }
    }

    @Test
    void whatWasOnItsWayWhenTheConnectionEndedIsRemembered() {
        proxy.silenceReplies();
        CompletionStage<Answer> entered = enter(1);
        proxy.cut();
        entered.handle((answer, error) -> null).toCompletableFuture().join();
        proxy.pass();
        Answer.State left = null;
        while (left == null) {
            left = leave(1).handle((answer, error) -> answer == null ? null : answer.state())
                    .toCompletableFuture()
                    .join();
        }
        assertThat(state(enter(1))).isEqualTo(Answer.State.REFUSED);
    }
}
