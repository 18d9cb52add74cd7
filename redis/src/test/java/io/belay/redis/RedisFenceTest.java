package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.TcpProxy;
import io.belay.tck.FenceSpec;
import io.belay.tck.FenceTck;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisFenceTest extends FenceTck<RedisFence.Writer, RuntimeException> {
    private static final AtomicInteger COUNTERS = new AtomicInteger();

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;

    private final String tag = "counter-" + COUNTERS.incrementAndGet();
    private final String key = "{" + tag + "}:value";

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start(Version.V6_2);
        client = RedisClient.create(server.url());
        redis = client.connect().sync();
    }

    @AfterAll
    static void end() {
        client.shutdown();
        server.close();
    }

    @Override
    protected FenceSpec<RedisFence.Writer, RuntimeException> open() {
        RedisFence fence = RedisFence.of(redis, tag);
        redis.set(key, "0");
        return new FenceSpec<>() {
            @Override
            public Fence<RedisFence.Writer, RuntimeException> fence() {
                return fence;
            }

            @Override
            public long read() {
                return Long.parseLong(redis.get(key));
            }

            @Override
            public void write(RedisFence.Writer writer, long value) {
                writer.set(key, Long.toString(value));
            }

            @Override
            public void writeUnguarded(long value) {
                redis.set(key, Long.toString(value));
            }

            @Override
            public void close() {}
        };
    }

    private RedisFence.Writer raise(long token) {
        return RedisFence.of(redis, tag).raiseTo(List.of(FencingToken.of("stock", token)));
    }

    @Test
    void aScriptOfOnesOwnSeesItsKeysAndArgumentsAlone() {
        List<String> seen = raise(5).run(
                        "redis.call('INCRBY', KEYS[1], ARGV[2]) -- and more\n"
                                + "return {KEYS[1], ARGV[1], tostring(#KEYS), tostring(#ARGV)}",
                        ScriptOutputType.MULTI,
                        List.of(key),
                        "x",
                        "3");
        assertThat(seen).containsExactly(key, "x", "1", "2");
        assertThat(redis.get(key)).isEqualTo("3");
    }

    /** Returns how many of two acknowledged additions are lost: the first is held up between its holder's last look and the server. */
    private long lostOfALateWrite(boolean fenced) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server)) {
            RedisClient away = RedisClient.create(proxy.url());
            RedisCommands<String, String> late = away.connect().sync();
            RedisFence.Writer old = RedisFence.of(late, tag).raiseTo(List.of(FencingToken.of("stock", 1)));
            String next = Long.toString(Long.parseLong(late.get(key)) + 1);
            proxy.silenceRequests();
            CompletableFuture<Boolean> acknowledged = CompletableFuture.supplyAsync(() -> {
                try {
                    if (fenced) {
                        old.set(key, next);
                    } else {
                        late.set(key, next);
                    }
                    return true;
                } catch (StaleTokenException e) {
                    return false;
                }
            });
            raise(2).set(key, Long.toString(Long.parseLong(redis.get(key)) + 1));
            proxy.pass();
            long additions = acknowledged.get(Pace.seconds(), TimeUnit.SECONDS) ? 2 : 1;
            away.shutdown();
            return additions - Long.parseLong(redis.get(key));
        }
    }

    @Test
    void aWriteThatIsHeldUpOnItsWayIsRefusedByTheServer() throws Exception {
        assertThat(lostOfALateWrite(true)).isZero();
    }

    @Test
    void aWriteThatIsHeldUpOnItsWayIsLostWithoutAFence() throws Exception {
        assertThat(lostOfALateWrite(false)).isEqualTo(1);
    }

    @Test
    void aScriptThatIsRefusedIsNotRun() {
        RedisFence.Writer old = raise(5);
        raise(6);
        assertThatThrownBy(() -> old.run("return redis.call('DEL', KEYS[1])", ScriptOutputType.INTEGER, List.of(key)))
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        refused -> assertThat(refused.raisedTo()).isEqualTo(6));
        assertThat(redis.get(key)).isEqualTo("0");
    }

    @Test
    void whatTheServerSaysComesThrough() {
        redis.lpush("{" + tag + "}:list", "x");
        assertThatThrownBy(() -> raise(5).run(
                                "return redis.call('INCR', KEYS[1])",
                                ScriptOutputType.INTEGER,
                                List.of("{" + tag + "}:list")))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("WRONGTYPE");
    }

    @Test
    void aServerThatHasForgottenItsScriptsIsGivenThem() {
        raise(5).set(key, "1");
        redis.scriptFlush();
        raise(6).set(key, "2");
        assertThat(redis.get(key)).isEqualTo("2");
    }

    @Test
    void aKeyOfAnotherSlotIsRefusedOnAServerThatHasNone() {
        RedisFence.Writer writer = raise(5);
        assertThatThrownBy(() -> writer.set("elsewhere", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'elsewhere'", "{" + tag + "}");
        writer.set(tag, "the tag itself is in that slot");
        assertThat(redis.get(tag)).isNotNull();
        for (String wrong : List.of("", "{x}", "x}")) {
            assertThatThrownBy(() -> RedisFence.of(redis, wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nothingIsRaisedOrWrittenWithoutAWordInATransactionOfRedis() {
        RedisFence.Writer writer = raise(5);
        redis.multi();
        try {
            assertThatThrownBy(() -> raise(4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("MULTI");
            assertThatThrownBy(() -> writer.set(key, "1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("MULTI");
        } finally {
            redis.discard();
        }
        assertThat(redis.get(key)).isEqualTo("0");
    }

    /** It has no scripts after a restart, and EXEC would find that too late. */
    @Test
    void aScriptInATransactionIsRunWhereTheServerHasNeverRunIt() {
        RedisFence.Writer writer = raise(5);
        redis.scriptFlush();
        redis.multi();
        assertThat(writer.<Long>run("return redis.call('INCR', KEYS[1])", ScriptOutputType.INTEGER, List.of(key)))
                .isNull();
        assertThat(redis.exec()).containsExactly(1L);
        raise(6);
        redis.multi();
        writer.<Long>run("return redis.call('INCR', KEYS[1])", ScriptOutputType.INTEGER, List.of(key));
        assertThat(redis.exec())
                .singleElement()
                .isInstanceOfSatisfying(
                        RedisCommandExecutionException.class,
                        refusal -> assertThat(refusal).hasMessageStartingWith("STALETOKEN "));
        assertThat(redis.get(key)).isEqualTo("1");
    }

    @Test
    void whatIsNoTokenIsNamedAndLeftAsItIs() {
        String fenceKey = "{" + tag + "}:belay-fence:stock";
        for (String foreign : List.of("x", "z".repeat(30), "1 2", "", "9".repeat(19), "1".repeat(30))) {
            redis.set(fenceKey, foreign);
            assertThatThrownBy(() -> raise(5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'" + fenceKey + "'");
            assertThat(redis.get(fenceKey)).isEqualTo(foreign);
        }
        redis.del(fenceKey);
        raise(Long.MAX_VALUE).set(key, "1");
        assertThat(redis.get(key)).isEqualTo("1");
    }

    /** Other clients of Redis have the script, and languages whose numbers are not those of tokens. */
    @Test
    void whatIsGivenInPlaceOfATokenIsRefusedAndLeavesEverythingAsItWas() {
        String fenceKey = "{" + tag + "}:belay-fence:stock";
        String script = Scripts.fenced("return redis.call('INCR', KEYS[1])");
        for (String raised : new String[] {null, "999"}) {
            if (raised != null) {
                redis.set(fenceKey, raised);
            }
            for (String token :
                    List.of("1.5e+18", "0042", "0", "", "42\n", "-5", "0".repeat(21) + "1", "9223372036854775808")) {
                assertThatThrownBy(() ->
                                redis.eval(script, ScriptOutputType.INTEGER, new String[] {fenceKey, key}, "1", token))
                        .as(token)
                        .hasMessage("ERR fence 1 is given no token");
                assertThat(redis.get(fenceKey)).isEqualTo(raised);
            }
        }
        assertThatThrownBy(() -> redis.eval(script, ScriptOutputType.INTEGER, new String[] {fenceKey, key}, "1"))
                .hasMessage("ERR fence 1 is given no token");
        assertThat(redis.get(key)).isEqualTo("0");
    }

    @Test
    void aScriptWithFlagsIsRefused() {
        RedisFence.Writer writer = raise(5);
        assertThatThrownBy(() -> writer.run("#!lua\nreturn 1", ScriptOutputType.INTEGER, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#!");
    }
}
