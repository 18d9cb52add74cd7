package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import org.junit.jupiter.api.Test;

/** Prefixes that begin with one another, as docs/redis.md tells. */
class PrefixesTest {
    @Test
    void ofTwoThatBeginAlikeOneHasTheLocksOfTheOther() throws Exception {
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                Belay all = Belay.connect(redis.url() + "?prefix=a:");
                Belay part = Belay.connect(redis.url() + "?prefix=a:b:")) {
            try (Lease held = part.lock("x").acquire()) {
                assertThat(all.lock("b:x").tryAcquire()).isEmpty();
                assertThat(all.admin().names("")).containsExactly("b:x");
                assertThat(held.isHeld()).isTrue();
            }
            assertThat(all.lock("b:x").tryAcquire()).get().satisfies(Lease::close);
        }
    }

    @Test
    void whoWaitsWithAnotherPrefixIsPassedOver() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                Store all = Redis.at(redis.url() + "?prefix=a:&timeout=1m").open(1, listener);
                Store part = Redis.at(redis.url() + "?prefix=a:b:&timeout=1m").open(2, new RecordingListener())) {
            send(part, enter("x", 2));
            assertThat(send(all, enter("b:x", 1)).state()).isEqualTo(Answer.State.WAITING);
            send(part, Request.Leave.of("x", ClaimId.of(2, 1), false));
            Store.Snapshot left = all.inspect("b:x").toCompletableFuture().join();
            assertThat(left.resource().orElseThrow().claims()).isEmpty();
            assertThat(listener.pushes).isEmpty();
        }
    }

    private static Request enter(String name, long client) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return Request.Enter.of(name, ClaimId.of(client, 1), ClaimSpec.whole(30_000_000), 0, owner);
    }

    private static Answer send(Store store, Request request) {
        return store.send(request).toCompletableFuture().join();
    }
}
