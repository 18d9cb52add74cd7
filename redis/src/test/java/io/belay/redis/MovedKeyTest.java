package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A slot that moves takes each key along with the rest of its time to live, which is what a lock has for a clock: as long
 * as the move takes, that stands still. The same is had here by lengthening the time to live.
 */
class MovedKeyTest {
    private static final Duration FIXED = Duration.ofSeconds(3);
    private static final Duration MOVE = Duration.ofSeconds(2);
    /** Ten minutes, in microseconds. */
    private static final long LEASE = 600_000_000;

    private static void move(RedisServer redis, String key) throws Exception {
        long left = Long.parseLong(redis.command("PTTL", key));
        assertThat(redis.command("PEXPIRE", key, String.valueOf(left + MOVE.toMillis())))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsGrantedALockBeforeTheFixedLeaseOfItsHolderEnds(Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Belay one = Belay.connect(redis.url());
                Belay two = Belay.connect(redis.url());
                Belay three = Belay.connect(redis.url())) {
            two.lock("x").acquire().close(); // so that there is a record to move
            move(redis, "belay:x");
            Lease held =
                    one.lock("x", LockOptions.defaults().withFixedLease(FIXED)).acquire();
            CompletableFuture<Lease> next = two.lock("x").acquireAsync();
            await().until(() -> next.isDone() // too late to show anything
                    || two.admin().inspect("x").claims().size() == 2);
            // Its lease is longer than the key was to be kept for, so that the record is written anew.
            CompletableFuture<Lease> last = three.lock(
                            "x", LockOptions.defaults().withLease(Duration.ofMinutes(10)))
                    .acquireAsync();
            CompletableFuture<Boolean> heldThen = next.thenApply(lease -> held.isHeld());
            assertThat(heldThen.get(Pace.seconds(), SECONDS)).isFalse();
            assertThat(next.join().token()).isGreaterThan(held.token());
            next.join().release();
            last.get(Pace.seconds(), SECONDS).release();
        }
    }

    private static Answer send(Store store, Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private static Answer enter(Store store, ClaimId id) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return send(store, Request.Enter.of("x", id, ClaimSpec.whole(LEASE), 0, owner));
    }

    /** The node that has given the slot away may have a clock that is ahead, which leaves the key less time to live. */
    private static void moveFromAClockAhead(RedisServer redis, Duration ahead) throws Exception {
        long left = Long.parseLong(redis.command("PTTL", "belay:x"));
        assertThat(redis.command("PEXPIRE", "belay:x", String.valueOf(left - ahead.toMillis())))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void aRenewalPromisesNoMoreThanOthersWaitFor(Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store one = Redis.at(redis.url() + "?timeout=1m").open(1, new RecordingListener());
                Store two = Redis.at(redis.url() + "?timeout=1m").open(2, new RecordingListener())) {
            ClaimId id = ClaimId.of(1, 1);
            Request renew = Request.Renew.of("x", id, enter(one, id).sequence(), LEASE, 0, false);
            send(one, renew);
            moveFromAClockAhead(redis, Duration.ofMinutes(5));
            long begin = System.nanoTime();
            Answer renewed = send(one, renew);
            Answer waits = enter(two, ClaimId.of(2, 1));
            long passed = (System.nanoTime() - begin) / 1000 + 10_000; // clocks that are read in milliseconds
            assertThat(renewed.state()).isEqualTo(Answer.State.GRANTED);
            assertThat(waits.state()).isEqualTo(Answer.State.WAITING);
            assertThat(waits.expiry() - waits.time())
                    .isGreaterThanOrEqualTo(renewed.deadline() - renewed.time() - passed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatHasEndedForOthersIsNotRenewed(Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store store = Redis.at(redis.url() + "?timeout=1m").open(1, new RecordingListener())) {
            ClaimId id = ClaimId.of(1, 1);
            Request renew = Request.Renew.of("x", id, enter(store, id).sequence(), LEASE, 0, false);
            send(store, renew);
            moveFromAClockAhead(redis, Duration.ofMinutes(10).plusSeconds(30));
            assertThat(send(store, renew).state()).isEqualTo(Answer.State.GONE);
        }
    }

    @Test
    void tokensRiseWhileKeysMoveAgainAndAgain() throws Exception {
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                Belay one = Belay.connect(redis.url());
                Belay two = Belay.connect(redis.url())) {
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                try (Lease lease = (i % 2 == 0 ? one : two).lock("x").acquire()) {
                    tokens.add(lease.token());
                    move(redis, "belay:x");
                }
            }
            assertThat(tokens).isSorted().doesNotHaveDuplicates();
        }
    }
}
