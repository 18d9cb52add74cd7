package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.servers.FakeRedis;
import io.belay.servers.Fuzz;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Servers that reply rubbish, on real connections: nobody gets a lock from it, nobody hangs, and what is said is one line.
 * A round that fails names its seed; {@code -Dbelay.seed} gives it again, and {@code -Dbelay.fuzz=100} runs a hundred
 * times as many.
 */
class RubbishServerTest {
    private static final BelayOptions IMPATIENT = BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(100));
    private static final int SHORT = 300;

    private static final String OK = "+OK";
    private static final String HELLO =
            "%7\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n+proto\r\n:3\r\n+id\r\n:5\r\n"
                    + "+mode\r\n+standalone\r\n+role\r\n+master\r\n+modules\r\n*0";
    private static final String SUBSCRIBED = ">3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1";

    /** Whatever a server may say, but for a number where one is a grant, which no client can tell from a lie. */
    private static final List<String> RUBBISH = List.of(
            "$-1",
            "*-1",
            "_",
            ":-1",
            ":0",
            ":9223372036854775807",
            "#t",
            ",1.5",
            ",inf",
            "(12345678901234567890",
            "$0\r\n",
            "$2\r\nOK",
            "+",
            "+OK",
            "-",
            "-ERR",
            "-ERR \u001b[2J",
            "*0",
            "*1\r\n:7",
            "*1\r\n*1\r\n*1\r\n$-1",
            "%1\r\n+a\r\n+b",
            "~1\r\n+a",
            "=7\r\ntxt:abc",
            "!5\r\nERR x",
            "$2147483647\r\nx",
            "*2147483647\r\n:1",
            "$99999999999999\r\n",
            "*-7",
            ">2\r\n+message\r\n+x\r\n:0",
            ">3\r\n$7\r\nmessage\r\n$1\r\nx\r\n$1\r\ny\r\n:0",
            "HTTP/1.1 400 Bad Request",
            "\0\0\0",
            "-MOVED 1 127.0.0.1:1",
            "-MOVED 1 :99999",
            "-ASK 99999 ::",
            "-NOSCRIPT no",
            "-NOSCRIPT",
            "-LOADING x",
            "-READONLY x");

    @BeforeAll
    static void warmUp() throws Exception {
        Told.warmUp();
    }

    private static UnaryOperator<String> upTo(Random random) {
        int good = random.nextInt(6);
        return command -> switch (command) {
            case "HELLO" -> good > 0 ? HELLO : rubbish(random, HELLO);
            case "CLIENT", "SELECT" -> OK;
            case "PING" -> "+PONG";
            case "INFO" -> good > 1 ? FakeRedis.info("7.0.15") : rubbish(random, FakeRedis.info("7.0.15"));
            case "SUBSCRIBE" -> good > 2 ? SUBSCRIBED : rubbish(random, SUBSCRIBED);
            case "EVAL", "EVALSHA" -> good > 3 ? ":1" : rubbish(random, ":1");
            default -> rubbish(random, OK);
        };
    }

    private static String rubbish(Random random, String valid) {
        synchronized (random) {
            return random.nextInt(3) == 0 ? Fuzz.line(random, valid) : RUBBISH.get(random.nextInt(RUBBISH.size()));
        }
    }

    private static void tryOut(String url) throws InterruptedException {
        Thread before = Thread.currentThread();
        try (Belay belay = Belay.connect(url + "?timeout=" + SHORT + "ms", IMPATIENT)) {
            Optional<Lease> lease = belay.lock("x").tryAcquire(Duration.ofMillis(20));
            lease.ifPresent(Lease::close);
        } catch (BelayException e) {
            assertClear(e);
        }
        assertThat(before.isInterrupted()).isFalse();
        try {
            BelayAdmin.examine(url + "?timeout=" + SHORT + "ms");
        } catch (BelayException e) {
            assertClear(e);
        }
    }

    private static void assertClear(BelayException e) {
        assertThat(e.getMessage())
                .isNotBlank()
                .doesNotContain("Exception", "null", "io.", "java.")
                .hasSizeLessThan(2000);
        assertThat(e.getMessage().chars().filter(Character::isISOControl)).isEmpty();
    }

    @Test
    void anyReply() {
        Fuzz.rounds(12, random -> {
            try (FakeRedis server = FakeRedis.start(upTo(random))) {
                tryOut(server.url());
            }
        });
    }

    @Test
    void whatIsNoAnswerToAnEnterGrantsNothing() throws IOException, InterruptedException {
        for (String rubbish : RUBBISH) {
            boolean[] greeted = {false};
            try (FakeRedis server = FakeRedis.start(command -> switch (command) {
                        case "HELLO" -> HELLO;
                        case "INFO" -> FakeRedis.info("7.0.15");
                        case "SUBSCRIBE" -> SUBSCRIBED;
                        case "EVAL", "EVALSHA" -> greeted[0] ? rubbish : ":1";
                        case "PING" -> "+PONG";
                        default -> OK;
                    });
                    Belay belay = Belay.connect(server.url() + "?timeout=1m", IMPATIENT)) {
                greeted[0] = true;
                try {
                    assertThat(belay.lock("x").tryAcquire(Duration.ofMillis(50)))
                            .as(rubbish)
                            .isEmpty();
                } catch (BelayException e) {
                    assertClear(e);
                }
                try {
                    assertThat(belay.admin().inspect("x").claims()).as(rubbish).isEmpty();
                } catch (BelayException e) {
                    assertClear(e);
                }
            }
        }
    }
}
