package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.RedisServer;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests about claims in the midst of a long queue, which the scripts change without taking the others apart. */
@Tag("long")
class LongQueueTest {
    private static final long LEASE = 30_000_000;
    private static final long YEAR = 365L * 86_400 * 1_000_000;
    private static final int WAITING = 40;

    private final Random random = new Random(1);
    private long entered;

    private Owner owner() {
        return Owner.of("client", "host", 1, "t".repeat(random.nextInt(20)));
    }

    /** Returns an owner as long as the one before, which is written in its place. */
    private Owner another(Owner owner) {
        return owner.withThread("u".repeat(owner.thread().length()), owner.behalf())
                .withSince(random.nextInt(1000));
    }

    private Request.Enter enter(int capacity) {
        ClaimId id = ClaimId.of(1, ++entered);
        int weight = 1 + random.nextInt(capacity);
        return Request.Enter.of(
                "x", id, ClaimSpec.of(capacity, weight, LEASE).withSticky(random.nextInt(4) == 0), 0, owner());
    }

    private Request next(Resource state, int capacity) {
        List<Claim> claims = state.claims();
        if (claims.size() < WAITING) {
            return enter(capacity);
        }
        Claim claim = claims.get(random.nextInt(claims.size()));
        long sequence = claim.sequence() + (random.nextInt(10) == 0 ? 1 : 0);
        return switch (random.nextInt(11)) {
            case 0, 1, 2 -> Request.Leave.of("x", claim.id(), random.nextInt(3) == 0);
            case 3, 4 -> Request.Renew.of("x", claim.id(), sequence, LEASE * (1 + random.nextInt(9)), 3, false);
            case 5 -> Request.Yield.of("x", claim.id(), sequence, LEASE, 1);
            case 6 -> Request.Leave.of("x", claims.get(0).id(), false);
            case 7 -> Request.Describe.of("x", claim.id(), sequence, another(claim.owner()));
            case 8 -> Request.Describe.of("x", claims.get(0).id(), claims.get(0).sequence(), owner());
            case 9 -> fix(random.nextInt(4) == 0 ? claim : claims.get(0));
            default -> enter(capacity);
        };
    }

    private Request fix(Claim claim) {
        long lease = random.nextInt(3) == 0 ? YEAR : LEASE / 1_000 * (1 + random.nextInt(5_000));
        return Request.Fix.of("x", claim.id(), claim.sequence(), claim.reweights() + random.nextInt(2), lease);
    }

    @ParameterizedTest
    @EnumSource
    void requestsDoWhatTheModelSays(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store store = Redis.at(redis.url()).open(1, new RecordingListener())) {
            for (int capacity : new int[] {1, 3}) {
                for (int i = 0; i < 500; i++) {
                    Resource before = state(store);
                    Request request = next(before, capacity);
                    Answer answer = store.send(request).toCompletableFuture().join();
                    Step step = request.applyTo(before, answer.time());
                    assertThat(answer).as("%s", request).isEqualTo(step.answer().from(answer.server()));
                    Resource after = state(store);
                    assertThat(after.claims())
                            .as("%s", request)
                            .isEqualTo(step.next().claims());
                    assertThat(after.tombstones()).isEqualTo(step.next().tombstones());
                    assertThat(after.granted()).isEqualTo(step.next().granted());
                }
                store.send(Request.Evict.of("x")).toCompletableFuture().join();
                redis.command("DEL", "belay:x");
            }
        }
    }

    /** A client renews all that it has in the queue at once; each finds its own, though those before it have changed. */
    @ParameterizedTest
    @EnumSource
    void renewalsInOneRequestDoWhatTheModelSays(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store store = Redis.at(redis.url()).open(1, new RecordingListener())) {
            for (int i = 0; i < 2 * WAITING; i++) {
                store.send(enter(3)).toCompletableFuture().join();
            }
            for (int i = 0; i < 30; i++) {
                Resource before = state(store);
                List<Request.Renew> renewals = new ArrayList<>();
                for (Claim claim : before.claims()) {
                    long sequence = claim.sequence() + (random.nextInt(20) == 0 ? 1 : 0);
                    long lease = LEASE * (1 + random.nextInt(9));
                    renewals.add(Request.Renew.of("x", claim.id(), sequence, lease, 3, random.nextInt(40) == 0));
                }
                Collections.shuffle(renewals.subList(random.nextInt(renewals.size()), renewals.size()), random);
                renewals.add(Request.Renew.of("x", ClaimId.of(1, ++entered), 1, LEASE, 0, false));
                List<? extends CompletionStage<Answer>> answers = store.renew(renewals);
                Resource expected = before;
                for (int j = 0; j < renewals.size(); j++) {
                    Answer answer = answers.get(j).toCompletableFuture().join();
                    Step step = renewals.get(j).applyTo(expected, answer.time());
                    assertThat(answer)
                            .as("%s", renewals.get(j))
                            .isEqualTo(step.answer().from(answer.server()));
                    expected = step.next();
                }
                assertThat(state(store).claims()).isEqualTo(expected.claims());
                store.send(Request.Leave.of(
                                "x", before.claims().get(random.nextInt(3)).id(), false))
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    private static Resource state(Store store) {
        return store.inspect("x").toCompletableFuture().join().resource().orElse(Resource.UNUSED);
    }

    /** The bytes of a claim's id may stand elsewhere in the record. */
    @Test
    void anIdWithinAnOwnersNameIsNoClaim() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
                Store store = Redis.at(redis.url()).open(1, new RecordingListener())) {
            ClaimId wanted = ClaimId.of(1, 0x4142434445464748L);
            for (int i = 0; i < 20; i++) {
                Owner owner = Owner.of("client", "host", 1, String.format("%016x", 1) + "ABCDEFGH");
                store.send(Request.Enter.of("x", ClaimId.of(1, ++entered), ClaimSpec.of(1, 1, LEASE), 0, owner))
                        .toCompletableFuture()
                        .join();
            }
            Answer none = store.send(Request.Leave.of("x", wanted, false))
                    .toCompletableFuture()
                    .join();
            assertThat(none.state()).isEqualTo(Answer.State.GONE);
            assertThat(state(store).claims()).hasSize(20);
            Owner owner = Owner.of("client", "host", 1, "thread");
            store.send(Request.Enter.of("x", wanted, ClaimSpec.of(1, 1, LEASE), 0, owner))
                    .toCompletableFuture()
                    .join();
            Answer left = store.send(Request.Leave.of("x", wanted, false))
                    .toCompletableFuture()
                    .join();
            assertThat(left.state()).isEqualTo(Answer.State.LEFT);
            assertThat(state(store).claims()).hasSize(20);
        }
    }
}
