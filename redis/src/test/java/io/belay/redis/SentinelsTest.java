package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.FakeRedis;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom of two sentinels a client believes that do not say the same. */
class SentinelsTest {
    private static final Address FIRST = new Address("10.0.0.1", 6379);
    private static final Address SECOND = new Address("10.0.0.2", 6379);

    /** One that says what it is told to say. */
    private static final class Sentinel {
        final AtomicInteger asked = new AtomicInteger();
        final FakeRedis server;
        private volatile String reply = "";

        Sentinel() throws IOException {
            server = FakeRedis.start(name -> switch (name) {
                case "PING" -> "+PONG";
                case "SENTINEL" -> {
                    asked.incrementAndGet();
                    yield reply;
                }
                default -> "-ERR unknown command '" + name + "'";
            });
        }

        void says(Address master, int epoch) {
            List<String> words =
                    List.of("ip", master.host(), "port", "" + master.port(), "config-epoch", Integer.toString(epoch));
            StringBuilder text = new StringBuilder("*" + words.size());
            words.forEach(word -> text.append("\r\n$" + word.length() + "\r\n" + word));
            reply = text.toString();
        }

        String address() {
            return "127.0.0.1:" + server.port();
        }
    }

    private Sentinel one;
    private Sentinel two;
    private Connector connector;
    private Sentinels sentinels;

    @BeforeEach
    void start() throws IOException {
        one = new Sentinel();
        two = new Sentinel();
        connector = Redis.at("redis-sentinel://" + one.address() + "," + two.address() + "?master=m&protocol=resp2")
                .connector();
        sentinels = new Sentinels(connector);
    }

    @AfterEach
    void end() throws IOException {
        connector.close();
        one.server.close();
        two.server.close();
    }

    private Address located() {
        return sentinels.locate().join().settings().addresses().get(0);
    }

    @Test
    void eachTimeAnotherIsAsked() {
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        for (int i = 1; i <= 3; i++) {
            assertThat(located()).isEqualTo(FIRST);
            assertThat(located()).isEqualTo(FIRST);
            assertThat(one.asked).hasValue(i);
            assertThat(two.asked).hasValue(i);
        }
    }

    @Test
    void oneThatKnowsLessIsNotBelieved() {
        one.says(FIRST, 5);
        two.says(SECOND, 4);
        assertThat(located()).isEqualTo(FIRST);
        assertThat(two.asked).hasValue(0);
        assertThat(located()).isEqualTo(FIRST);
        assertThat(two.asked).hasValue(1);
        two.says(SECOND, 6);
        assertThat(located()).isIn(FIRST, SECOND);
        assertThat(located()).isEqualTo(SECOND);
        assertThat(located()).as("what the other says is old by now").isEqualTo(SECOND);
    }

    @Test
    void ifAllKnowLessTheyWereSetUpAnew() {
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
        one.says(SECOND, 0);
        two.says(SECOND, 0);
        assertThat(located()).isEqualTo(SECOND);
    }

    @Test
    void ifOnlyOneAnswersAndKnowsLessNobodyIsBelieved() throws IOException {
        one.says(FIRST, 5);
        two.says(SECOND, 4);
        assertThat(located()).isEqualTo(FIRST);
        one.server.close();
        assertThatThrownBy(this::located)
                .hasMessageContaining(
                        "The sentinels at " + one.address() + ", " + two.address() + " know less than others did");
    }

    @Test
    void newsOfOtherMastersAreForOthers() {
        assertThat(FailoverWatch.newMaster("m 10.0.0.1 6379 10.0.0.2 6379", "m"))
                .isEqualTo(SECOND);
        assertThat(FailoverWatch.newMaster("other 10.0.0.1 6379 10.0.0.2 6379", "m"))
                .isNull();
        assertThat(FailoverWatch.newMaster("m 10.0.0.1 6379", "m")).isNull();
        assertThat(FailoverWatch.newMaster("m 10.0.0.1 6379 10.0.0.2 x", "m")).isNull();
    }
}
