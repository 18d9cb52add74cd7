package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that another version of Belay keeps: all that is asked of them is refused, and they stay byte for byte. */
@ParameterizedClass
@EnumSource
class OtherVersionTest {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final long LEASE = 30_000_000;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");
    private static final ClaimId HOLDER = ClaimId.of(7, 1);
    private static final ClaimId OTHER = ClaimId.of(7, 2);
    private static final String KEY = "belay:x";
    private static final String CURE = " has the key '" + KEY + "' in the layout of another version of Belay, or of"
            + " another program: run one version of Belay, or give these locks another prefix";

    private static RedisServer server;
    private static Store store;

    OtherVersionTest(Version version) {}

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.start(version);
        store = Redis.at(server.url() + "?timeout=1m").open(HOLDER.client(), new RecordingListener());
    }

    @AfterParameterizedClassInvocation
    static void end() {
        store.close();
        server.close();
    }

    /** What the other version's record looks like behind its first byte. */
    enum Rest {
        NOTHING,
        TEXT,
        /** As that of a lock that is free. */
        FREE,
        /** As that of a lock that was taken, and not waited for. */
        TAKEN,
        RENEWED,
        WAITED_FOR;

        /** Writes such a record of this version; returns the sequence of its holder. */
        private long write() throws Exception {
            server.command("DEL", KEY);
            if (this == NOTHING || this == TEXT) {
                server.command("SET", KEY, this == TEXT ? "bravo, a bravo of a length at which it could be all" : "b");
                return 1;
            }
            long sequence = answered(enter(HOLDER, 0, false)).sequence();
            switch (this) {
                case FREE -> answered(Request.Leave.of("x", HOLDER, false));
                case RENEWED -> answered(Request.Renew.of("x", HOLDER, sequence, LEASE, 0, false));
                case WAITED_FOR -> answered(enter(OTHER, 0, false));
                default -> {}
            }
            return sequence;
        }
    }

    private static Request enter(ClaimId id, long hold, boolean ifFree) {
        return Request.Enter.of(
                "x", id, ClaimSpec.of(3, 3, LEASE).withFixedLease(hold).withIfFree(ifFree), 0, OWNER);
    }

    private static Answer answered(Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private static List<Request> requests(long sequence) {
        List<Request> requests = new ArrayList<>();
        for (ClaimId id : new ClaimId[] {HOLDER, OTHER, ClaimId.of(7, 3)}) {
            requests.addAll(List.of(
                    enter(id, 0, false),
                    enter(id, 0, true),
                    enter(id, LEASE, false),
                    Request.Renew.of("x", id, sequence, 2 * LEASE, 1, false),
                    Request.Renew.of("x", id, sequence, LEASE, 0, true),
                    Request.Yield.of("x", id, sequence, LEASE, 0),
                    Request.Reweight.of("x", id, sequence, 0, 1),
                    Request.Fix.of("x", id, sequence, 0, LEASE),
                    Request.Describe.of("x", id, sequence, OWNER),
                    Request.Skip.of("x", id, sequence),
                    Request.Leave.of("x", id, false),
                    Request.Leave.of("x", id, true)));
        }
        requests.add(Request.Resize.of("x", 5));
        requests.add(Request.Evict.of("x"));
        return requests;
    }

    /** Makes a record of this version one of another version. */
    private static void replaceVersion(String key) throws Exception {
        server.command("EVAL", "return redis.call('SETRANGE', KEYS[1], '0', 'c')", "1", key);
    }

    private static String bytes(String key) throws Exception {
        return server.command("EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", key);
    }

    private static void assertRefused(CompletionStage<?> answer, Object request) {
        Throwable thrown = catchThrowable(answer.toCompletableFuture()::join);
        assertThat(thrown).as("answer to %s", request).isNotNull();
        assertThat(thrown.getCause())
                .isInstanceOf(StoreException.class)
                .message()
                .endsWith(CURE);
        assertThat(((StoreException) thrown.getCause()).isTemporary()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void everyRequestIsRefused(Rest rest) throws Exception {
        long sequence = rest.write();
        replaceVersion(KEY);
        String before = bytes(KEY);
        for (Request request : requests(sequence)) {
            assertRefused(store.send(request), request);
            assertThat(bytes(KEY)).as("after %s", request).isEqualTo(before);
        }
        assertRefused(store.inspect("x"), "inspect");
        Request.Renew sound = Request.Renew.of("sound", HOLDER, 1, LEASE, 0, false);
        List<? extends CompletionStage<Answer>> chunk =
                store.renew(List.of(Request.Renew.of("x", HOLDER, sequence, LEASE, 0, false), sound));
        assertRefused(chunk.get(0), "a chunk");
        assertThat(chunk.get(1).toCompletableFuture().join().state()).isEqualTo(Answer.State.GONE);
        assertThat(bytes(KEY)).isEqualTo(before);
    }

    @Test
    void usersAreToldTheCure() throws Exception {
        Rest.TAKEN.write();
        replaceVersion(KEY);
        String before = bytes(KEY);
        try (Belay belay = Belay.connect(server.url())) {
            assertThat(Told.unusable(() -> belay.lock("x").acquire()))
                    .isEqualTo("The lock 'x' cannot be had: Redis at 127.0.0.1:" + server.port() + CURE);
            assertThat(Told.unusable(
                            () -> Premise.answered(() -> belay.lock("x").tryAcquire())))
                    .endsWith(CURE);
            assertThat(Told.unusable(() -> belay.admin().inspect("x"))).endsWith(CURE);
            assertThat(Told.unusable(() -> belay.admin().forceRelease("x"))).endsWith(CURE);
            assertThat(Told.unusable(() -> belay.semaphore("x", 2).resize(3))).endsWith(CURE);
        }
        assertThat(bytes(KEY)).isEqualTo(before);
    }

    /** Nor does it come to harm by the release of such a lock. */
    @Test
    void aLockIsLostAtItsDeadlineWhenItsRecordIsReplaced() throws Exception {
        Premise.withLease(Duration.ofMillis(600), brief -> {
            server.command("DEL", "belay:replaced");
            try (Belay belay = Belay.connect(server.url())) {
                Lease lease = belay.lock("replaced", LockOptions.defaults().withLease(brief))
                        .acquire();
                replaceVersion("belay:replaced");
                String before = bytes("belay:replaced");
                Premise.check(lease.isHeld(), "the lock is held while its record is replaced");
                await().until(() -> !lease.isHeld());
                lease.close();
                assertThat(bytes("belay:replaced")).isEqualTo(before);
            }
        });
    }
}
