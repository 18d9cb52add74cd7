package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.servers.CommandProxy;
import io.belay.servers.LuaScripts;
import io.belay.servers.Pace;
import io.belay.servers.ProviderManner;
import io.belay.servers.RedisServer;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A moment of each of the providers' ways: a lock, a hand-over, renewals of several, a break. The suite does the rest. */
class ProvidersTest {
    private static final long LEASE = 30_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"keys,one-key,publish,flags,wait", "one-node,one-key,spublish,wait", "one-node,asking"})
    void locksWork(String rules) throws Exception {
        try (ProviderSpec provider = new ProviderSpec(Set.of(rules.split(",")))) {
            works(provider.url());
        }
    }

    @Test
    void locksWorkUnderAnotherLua() throws Exception {
        assumeTrue(LuaScripts.isInstalled(), "there is no program lua5.4");
        try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
                LuaScripts scripts = new LuaScripts(redis);
                CommandProxy proxy = CommandProxy.to(redis, scripts)) {
            works(proxy.url());
            assertThat(scripts.scripts()).as("scripts that ran there").isGreaterThan(10);
        }
    }

    private static void works(String url) throws Exception {
        try (Belay one = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            HandOver.between(one, other);
            Lease held = one.lock("broken").acquire();
            AtomicBoolean lost = new AtomicBoolean();
            held.onLost(loss -> lost.set(true));
            assertThat(other.admin().forceRelease("broken")).isTrue();
            await().untilTrue(lost);
        }
        severalAreRenewed(url);
    }

    private static void severalAreRenewed(String url) throws Exception {
        try (Store store = Redis.at(url + "?timeout=1m").open(7, new RecordingListener())) {
            Owner owner = Owner.of("client", "host", 1, "thread");
            List<Request.Renew> renewals = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ClaimId id = ClaimId.of(7, i);
                Answer entered = store.send(Request.Enter.of("several-" + i, id, ClaimSpec.whole(LEASE), 0, owner))
                        .toCompletableFuture()
                        .get(Pace.seconds(), TimeUnit.SECONDS);
                renewals.add(Request.Renew.of("several-" + i, id, entered.sequence(), 2 * LEASE, 0, false));
            }
            for (int round = 0;
                    round < 2;
                    round++) { // the first may find out that several cannot be renewed by one script
                for (CompletionStage<Answer> answer : store.renew(renewals)) {
                    Answer renewed = answer.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
                    assertThat(renewed.state()).isEqualTo(Answer.State.GRANTED);
                    assertThat(renewed.deadline() - renewed.time()).isGreaterThan(LEASE);
                }
            }
        }
    }

    /** Who has asked has to tell the next one also if the answer comes too late for itself: else nobody would. */
    @Test
    void isToldAlsoByWhoHasTimedOut() throws Exception {
        ProviderManner manner = new ProviderManner(Set.of("publish"));
        AtomicInteger told = new AtomicInteger();
        try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
                CommandProxy proxy = CommandProxy.to(redis, command -> {
                    told.addAndGet(command.is("PUBLISH") ? 1 : 0);
                    return manner.instead(command);
                });
                Belay one = Belay.connect(proxy.url());
                Belay other = Belay.connect(proxy.url())) {
            Lease held = one.lock("late").acquire();
            CompletableFuture<Lease> waiting = other.lock("late").acquireAsync();
            await().until(() -> one.admin().inspect("late").claims().size() == 2);
            int before = told.get();
            redis.stop();
            CompletableFuture<ReleaseOutcome> released = held.releaseAsync();
            try {
                await().pollDelay(Duration.ofSeconds(3)).until(released::isDone); // the time-out is 2 s
            } finally {
                redis.resume();
            }
            await().until(() -> told.get() > before);
            waiting.get(Pace.seconds(), TimeUnit.SECONDS).release();
        }
    }

    /** It is refused by what it lacks. */
    @Test
    void aServerWithoutScriptsIsRefused() throws Exception {
        try (ProviderSpec none = new ProviderSpec(Set.of("eval"))) {
            assertThat(Told.unusable(none.url()))
                    .endsWith(" has no EVAL, and a lock is kept by scripts: use a server that runs them, see"
                            + " redis-providers.md");
        }
    }

    @Test
    void replicasAreRefusedWhereTheyCannotBeAsked() throws Exception {
        try (ProviderSpec none = new ProviderSpec(Set.of("wait"))) {
            assertThat(Told.unusable(none.url() + "?replicas=1"))
                    .endsWith(" has no WAIT, so replicas cannot be asked: leave 'replicas' out of the URL");
            Belay.connect(none.url()).close();
        }
    }

    @Test
    void everyRuleIsKnownToTheProxyAndToThePage() {
        Set<String> known =
                Set.of("keys", "one-key", "publish", "spublish", "wait", "flags", "eval", "one-node", "asking");
        assertThat(Provider.ALL)
                .hasSizeGreaterThan(10)
                .allSatisfy(provider -> assertThat(known).containsAll(provider.rules()));
    }
}
