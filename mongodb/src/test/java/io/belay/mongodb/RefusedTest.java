package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.MongoServer;
import io.belay.spi.StoreException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users are told: one line, that names the place and the cure, without a password in it. */
class RefusedTest {
    @Test
    void nobodyThere() throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            String place = "127.0.0.1:" + bound.getLocalPort();
            assertThatThrownBy(() -> Belay.connect("mongodb://shop:geheim@" + place + "/?belay-timeout=300ms"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("MongoDB at " + place + " has no primary that can be reached")
                    .hasMessageContaining("within 300 ms: Connection refused; is it running")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    @Test
    void oneThatAcceptsAndSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            String url = "mongodb://shop:geheim@127.0.0.1:" + silent.getLocalPort() + "/?belay-timeout=300ms";
            assertThatThrownBy(() -> Belay.connect(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not answer within 300 ms")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    @Test
    void aUserThatTheServerDoesNotTake() throws Exception {
        try (MongoServer server = MongoServer.start()) {
            assumeTrue(server.canBeKilled(), "users of a server that is not ours are not tried");
            String place = "127.0.0.1:" + server.port();
            assertThatThrownBy(() -> Belay.connect("mongodb://shop:geheim@" + place))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("MongoDB at " + place + " refuses the user or the password")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "13 | not authorized | false | the user needs the role readWrite on the database shop",
                "18 | Authentication failed. | false | refuses the user or the password",
                "10107 | not primary | true | MongoDB at a cannot do it now: 10107 not primary",
                "64 | waiting for replication timed out | true | MongoDB at a cannot do it now: 64 waiting",
                "59 | no such command | false | MongoDB at a fails: 59 no such command"
            })
    void whatAServerSays(int code, String said, boolean temporary, String message) {
        BsonDocument answer = BsonDocument.parse("{ok: 0, code: " + code + ", codeName: 'X', errmsg: '" + said + "'}");
        StoreException told = new Failures("MongoDB at a", "shop", Settings.DEFAULT, null)
                .of(new MongoCommandException(answer, new ServerAddress("a")));
        assertThat(told).hasMessageContaining(message);
        assertThat(told.isTemporary()).isEqualTo(temporary);
    }

    private static void saysNoSecret(Throwable e) {
        assertThat(e.getMessage()).doesNotContain("\n");
        assertThat(MongoUrlTest.trace(e)).doesNotContain("geheim");
    }
}
