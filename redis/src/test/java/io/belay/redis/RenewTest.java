package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals in a chunk, each of a claim in another state: the script answers and keeps what the reference model says. */
class RenewTest {
    private static final long CLIENT = 7;
    private static final long LEASE = 30_000_000;
    /**
     * A record keeps its own clock by its time to live: that is told in whole milliseconds, and stays behind by what lies
     * between its reading and its writing, each time that it is set anew. That is no more than the requests took.
     */
    private static final long LAG = 100_000;

    private static final Owner OWNER = Owner.of("client", "host", 1, "a thread with a name that is somewhat longer");

    private int claims;

    /** How long the requests have taken so far, in microseconds. */
    private long taken;

    private <T> T timed(Supplier<T> requests) {
        long begun = System.nanoTime();
        T answers = requests.get();
        taken += (System.nanoTime() - begun) / 1000;
        return answers;
    }

    @ParameterizedTest
    @EnumSource
    void eachOfAChunkIsRenewedAsTheModelSays(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store store = Redis.at(redis.url() + "?timeout=1m").open(CLIENT, new RecordingListener())) {
            List<Request.Renew> chunk = new ArrayList<>();
            chunk.add(renew("just entered", enter(store, "just entered", LEASE, 0), LEASE, false));
            chunk.add(renew("never entered", 1, LEASE, false));
            chunk.add(renew("expired", enter(store, "expired", 1_000, 0), LEASE, false));
            chunk.add(renew("fixed", enter(store, "fixed", LEASE, LEASE), LEASE, false));
            chunk.add(renew("to be fresh", enter(store, "to be fresh", LEASE, 0), LEASE, true));
            chunk.add(renew("another sequence", enter(store, "another sequence", LEASE, 0) + 1, LEASE, false));
            chunk.add(renew("shorter", enter(store, "shorter", LEASE, 0), LEASE / 2, false));
            chunk.add(renew("sticky", enter(store, "sticky", LEASE, 0), LEASE, false));
            long held = enter(store, "waited for", LEASE, 0);
            Request.Renew holder = renew("waited for", held, LEASE, false);
            chunk.add(holder);
            chunk.add(renew("waited for", enter(store, "waited for", LEASE, 0), LEASE, false));
            await().until(() ->
                    now(store) > before(store, "expired").claims().get(0).deadline());
            check(store, chunk);

            // Again, as the first renewal has left them; and by so much that the keys are to be kept for longer.
            check(store, chunk);
            List<Request.Renew> longer = chunk.stream()
                    .map(r -> Request.Renew.of(r.resource(), r.id(), r.sequence(), 10 * LEASE, 3, r.fresh()))
                    .toList();
            check(store, longer);
            check(store, longer);
            keysLiveAsLongAsTheirRecordsSay(store, chunk.get(0));
            long left = Long.parseLong(redis.command("PTTL", "belay:shorter").trim());
            assertThat(left).isGreaterThan(10 * LEASE / 1000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneOfAChunkFailsForWhatIsWrongWithAnother(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store holder = Redis.at(redis.url() + "?timeout=1m").open(CLIENT + 1, new RecordingListener());
                Store store = Redis.at(redis.url() + "?timeout=1m").open(CLIENT, new RecordingListener())) {
            List<Request.Renew> chunk = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                enter(holder, CLIENT + 1, "wait-" + i);
                chunk.add(renew("wait-" + i, enter(store, "wait-" + i, LEASE, 0), 2 * LEASE, false));
            }
            redis.command("SET", "belay:wait-0", "Rubbish");
            edit(redis, "wait-7", "v = string.sub(v, 1, 60)");
            redis.command("DEL", "belay:wait-11");
            redis.command("LPUSH", "belay:wait-11", "rubbish");
            // Its sequence is such that the answer cannot be read.
            edit(
                    redis,
                    "wait-14",
                    "local at = string.find(v, '" + Wire.hex(CLIENT)
                            + "', 1, true) + 28 v = string.sub(v, 1, at - 1) .. string.rep('\\127', 8)"
                            + " .. string.sub(v, at + 8)");
            List<? extends CompletionStage<Answer>> answers = store.renew(chunk);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Answer> answer = answers.get(i).toCompletableFuture();
                if (List.of(0, 7, 11, 14).contains(i)) {
                    assertThatThrownBy(answer::join)
                            .cause()
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("under the key 'belay:wait-" + i + "': remove that");
                } else {
                    assertThat(answer.join().state()).as("of %s", i).isEqualTo(Answer.State.WAITING);
                    assertThat(answer.join().deadline() - answer.join().time()).isEqualTo(2 * LEASE);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneOfAChunkFailsForAKeyToWhichTheRightWasTakenAway(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version)) {
            redis.command("ACL", "SETUSER", "shop", "on", ">PASSWORD", "~belay:*", "allchannels", "+@all");
            String url = redis.url().replace("//", "//shop:PASSWORD@") + "?timeout=1m";
            try (Store store = Redis.at(url).open(CLIENT, new RecordingListener())) {
                List<Request.Renew> chunk = new ArrayList<>();
                for (String name : List.of("mine-1", "other", "mine-2")) {
                    chunk.add(renew(name, enter(store, name, LEASE, 0), 2 * LEASE, false));
                }
                redis.command("ACL", "SETUSER", "shop", "resetkeys", "~belay:mine-*");
                List<? extends CompletionStage<Answer>> answers = store.renew(chunk);
                for (int mine : List.of(0, 2)) {
                    Answer answer = answers.get(mine).toCompletableFuture().join();
                    assertThat(answer.state()).isEqualTo(Answer.State.GRANTED);
                    assertThat(answer.deadline() - answer.time()).isEqualTo(2 * LEASE);
                }
                assertThatThrownBy(() -> answers.get(1).toCompletableFuture().join())
                        .cause()
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("denies its user a right that locks need");
            }
        }
    }

    private static void edit(RedisServer redis, String name, String lua) throws Exception {
        redis.command(
                "EVAL",
                "local v = redis.call('GET', KEYS[1]) " + lua + " return redis.call('SET', KEYS[1], v, 'KEEPTTL')",
                "1",
                "belay:" + name);
    }

    private static void enter(Store store, long client, String name) {
        store.send(Request.Enter.of(name, ClaimId.of(client, 1), ClaimSpec.whole(LEASE), 0, OWNER))
                .toCompletableFuture()
                .join();
    }

    private void check(Store store, List<Request.Renew> chunk) {
        List<Resource> model = new ArrayList<>(
                chunk.stream().map(r -> before(store, r.resource())).toList());
        long begin = now(store);
        List<Answer> answers = timed(() -> store.renew(chunk).stream()
                .map(answer -> answer.toCompletableFuture().join())
                .toList());
        long end = now(store);
        assertThat(answers).hasSameSizeAs(chunk);
        for (int i = 0; i < answers.size(); i++) {
            Request.Renew request = chunk.get(i);
            Answer answer = answers.get(i);
            assertThat(answer.time()).as("the time of %s", request).isBetween(begin - LAG - taken, end);
            Resource before =
                    i > 0 && chunk.get(i - 1).resource().equals(request.resource()) ? model.get(i - 1) : model.get(i);
            Step step = request.applyTo(before, answer.time());
            assertThat(answer)
                    .as("%s on %s", request, before)
                    .isEqualTo(step.answer().from(answer.server()));
            model.set(i, step.next());
        }
        for (int i = 0; i < chunk.size(); i++) {
            String name = chunk.get(i).resource();
            if (i + 1 == chunk.size() || !chunk.get(i + 1).resource().equals(name)) {
                assertThat(before(store, name).claims())
                        .as("claims of '%s'", name)
                        .isEqualTo(model.get(i).claims());
            }
        }
    }

    /** By that the other scripts tell the time. */
    private static void keysLiveAsLongAsTheirRecordsSay(Store store, Request.Renew renewed) {
        long begin = now(store);
        Request other = Request.Yield.of(renewed.resource(), renewed.id(), renewed.sequence(), LEASE, 0);
        Answer answer = store.send(other).toCompletableFuture().join();
        assertThat(answer.time()).isBetween(begin - 1_000, now(store));
    }

    private long enter(Store store, String name, long lease, long hold) {
        ClaimId id = ClaimId.of(CLIENT, ++claims);
        Request.Enter enter = Request.Enter.of(
                name, id, ClaimSpec.whole(lease).withFixedLease(hold).withSticky(name.equals("sticky")), 1, OWNER);
        return timed(() -> store.send(enter).toCompletableFuture().join()).sequence();
    }

    /** Of the claim that was entered last. */
    private Request.Renew renew(String name, long sequence, long lease, boolean fresh) {
        return Request.Renew.of(name, ClaimId.of(CLIENT, claims), sequence, lease, 2, fresh);
    }

    private static Resource before(Store store, String name) {
        return store.inspect(name).toCompletableFuture().join().resource().orElse(Resource.UNUSED);
    }

    private static long now(Store store) {
        return store.inspect("any").toCompletableFuture().join().time();
    }
}
