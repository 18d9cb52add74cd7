package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadConcern;
import com.mongodb.connection.ClusterType;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoUrlTest {
    @Test
    void defaults() {
        MongoUrl url = MongoUrl.parse("MongoDB://localhost");
        assertThat(url.driver().getHosts()).containsExactly("localhost");
        assertThat(url.database()).isEqualTo("belay");
        assertThat(url.settings()).isEqualTo(new Settings("belay_lock", Duration.ofSeconds(5), true));
    }

    @ParameterizedTest
    @CsvSource({
        "?belay-collection=c&replicaSet=r&belay-timeout=2s&belay-watch=false&appName=n",
        "?replicaSet=r&belay-watch=false&belay-timeout=2s&appName=n&belay-collection=c",
        "?appName=n&replicaSet=r&belay-timeout=2s&belay-collection=c&belay-watch=false",
        "?appName=n&replicaSet=r&belay-timeOut=2s&Belay-Collection=c&BELAY-WATCH=false",
    })
    void whatIsBelaysIsTakenOutWhereverItStands(String options) {
        MongoUrl url = MongoUrl.parse("mongodb://us%3Aer:p%40ss@a:1,b:2/shop" + options);
        assertThat(url.driver().getConnectionString())
                .isIn(
                        "mongodb://us%3Aer:p%40ss@a:1,b:2/shop?replicaSet=r&appName=n",
                        "mongodb://us%3Aer:p%40ss@a:1,b:2/shop?appName=n&replicaSet=r");
        assertThat(url.database()).isEqualTo("shop");
        assertThat(url.settings()).isEqualTo(new Settings("c", Duration.ofSeconds(2), false));
    }

    @Test
    void theUserOfAnotherDatabaseIsWhereTheUrlSays() {
        MongoUrl url = MongoUrl.parse("mongodb://user:geheim@a/admin").withDatabase("shop");
        assertThat(url.database()).isEqualTo("shop");
        assertThat(url.driver().getCredential().getSource()).isEqualTo("admin");
    }

    @Test
    void nothingIsLeftOfAQuestionMark() {
        assertThat(MongoUrl.parse("mongodb://a/?belay-timeout=1s").driver().getConnectionString())
                .isEqualTo("mongodb://a/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "mongodb: | must be mongodb://HOST",
                "mongodb:// | must be mongodb://HOST",
                "mongo://geheim@a | must be mongodb://HOST",
                "mongodb://u:geheim/x@a | is none that MongoDB's driver takes",
                "mongodb://u:geheim:x@a | is none that MongoDB's driver takes",
                "mongodb://u:geheim%@a | is none that MongoDB's driver takes",
                "mongodb://u:geheim@a:b/ | is none that MongoDB's driver takes",
                "mongodb://u:geheim@a/?readPreference=x | is none that MongoDB's driver takes",
                "mongodb://a/?belay-geheim=x | a parameter that is not known; those of Belay are belay-collection",
                "mongodb://a/?belay-time-out=geheim | a parameter that is not known; those of Belay are belay-collection",
                "mongodb://a/?belay-watch2=geheim | a parameter that is not known; those of Belay are belay-collection",
                "mongodb://a/?belay-=geheim | a parameter that is not known; those of Belay are belay-collection",
                "mongodb://a/?belay-collection= | The name of the collection must be",
                "mongodb://a/?belay-collection=a$b | The name of the collection must be",
                "mongodb://a/?belay-collection=system.users | not with 'system.'",
                "mongodb://a/?belay-timeout=5 | 'belay-timeout' that is not like 500ms",
                "mongodb://a/?belay-timeout=1ms | between 100ms and 10m",
                "mongodb://a/?belay-watch=geheim | 'belay-watch' that is neither"
            })
    void whatIsWrongIsNamedAndNothingIsQuoted(String url, String message) {
        assertThatThrownBy(() -> MongoUrl.parse(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message)
                .satisfies(e -> {
                    assertThat(e.getMessage()).doesNotContain("\n");
                    assertThat(trace(e)).doesNotContain("geheim");
                });
        assertThatThrownBy(() -> Mongo.at(url))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2562047788015215H30M7.999999999S", "PT-0.001S", "P12D", "PT0.099S"})
    void aTimeOutThatIsNoneIsToldWithItsRange(Duration timeout) {
        Mongo mongo = Mongo.at("mongodb://a");
        assertThatThrownBy(() -> mongo.withTimeout(timeout))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessage("The time-out of a database must be between 100ms and 10m");
    }

    @Test
    void whatDnsDoesNotTellNowItMayTellLater() {
        assertThatThrownBy(() -> lookUp("127.0.0.1:1")) // nobody is there
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be looked up in DNS")
                .satisfies(e -> assertThat(trace(e)).doesNotContain("geheim"));
    }

    /** It would be waited for in vain: the records have to be changed. */
    @ParameterizedTest
    @ValueSource(strings = {"replicaSet=a|authSource=b", "readPreference=secondary"})
    void whatDnsTellsAndIsNotAllowedStays(String records) throws IOException {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread answers = new Thread(() -> answer(server, records.split("[|]")));
            answers.setDaemon(true);
            answers.start();
            assertThatThrownBy(() -> lookUp("127.0.0.1:" + server.getLocalPort()))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("there may be one TXT record")
                    .satisfies(e -> assertThat(trace(e)).doesNotContain("geheim"));
        }
    }

    private static void lookUp(String dns) {
        String servers = "java.naming.provider.url";
        System.setProperty(servers, "dns://" + dns);
        try {
            Mongo.at("mongodb+srv://u:geheim@locks.shop.invalid");
        } finally {
            System.clearProperty(servers);
        }
    }

    /** Answers any question with these TXT records. */
    private static void answer(DatagramSocket server, String[] records) {
        try {
            while (true) {
                DatagramPacket question = new DatagramPacket(new byte[512], 512);
                server.receive(question);
                ByteBuffer answer = ByteBuffer.allocate(512).put(question.getData(), 0, question.getLength());
                answer.putShort(2, (short) 0x8180)
                        .putShort(6, (short) records.length); // an answer, with so many records
                for (String record : records) {
                    answer.putShort((short) 0xC00C) // of the name that was asked for
                            .putShort((short) 16)
                            .putShort((short) 1)
                            .putInt(0)
                            .putShort((short) (record.length() + 1))
                            .put((byte) record.length())
                            .put(record.getBytes(StandardCharsets.US_ASCII));
                }
                server.send(new DatagramPacket(answer.array(), answer.position(), question.getSocketAddress()));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void variablesOfTheEnvironment() {
        assertThatThrownBy(() -> Mongo.at("mongodb://u:geheim${BELAY_NO_SUCH}@a"))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("'BELAY_NO_SUCH', which a URL names, is not set")
                .hasMessageNotContaining("geheim");
    }

    /** The value of a variable may be a password with such a thing in it. */
    @Test
    void whatIsPutInForAVariableIsNotLookedThroughForOthers() {
        assertThat(MongoUrl.parse("mongodb://u:pa${BELAY_NO_SUCH}x@a").driver().getPassword())
                .isEqualTo("pa${BELAY_NO_SUCH}x".toCharArray());
    }

    /** All that a log would show of it. */
    static String trace(Throwable e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    @Test
    void onlyAPrimaryThatKnowsThatItIsOneIsBelieved() {
        assertThat(MongoDocuments.readConcern(ClusterType.REPLICA_SET)).isEqualTo(ReadConcern.LINEARIZABLE);
        assertThat(MongoDocuments.readConcern(ClusterType.UNKNOWN)).isEqualTo(ReadConcern.LINEARIZABLE);
        assertThat(MongoDocuments.readConcern(ClusterType.STANDALONE)).isEqualTo(ReadConcern.DEFAULT);
        assertThatThrownBy(() -> MongoDocuments.readConcern(ClusterType.SHARDED))
                .hasMessageContaining("give them a replica set");
    }
}
