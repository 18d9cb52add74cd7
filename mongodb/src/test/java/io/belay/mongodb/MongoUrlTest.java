package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadConcern;
import com.mongodb.connection.ClusterType;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.spi.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void whatDnsDoesNotTellNowItMayTellLater() {
        String servers = "java.naming.provider.url";
        System.setProperty(servers, "dns://127.0.0.1:1"); // nobody is there
        try {
            assertThatThrownBy(() -> Mongo.at("mongodb+srv://u:geheim@locks.shop.invalid"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot be looked up in DNS")
                    .satisfies(e -> assertThat(trace(e)).doesNotContain("geheim"));
        } finally {
            System.clearProperty(servers);
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
