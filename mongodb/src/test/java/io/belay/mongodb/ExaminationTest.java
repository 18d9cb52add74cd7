package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayAdmin;
import io.belay.server.ClientVersion;
import io.belay.servers.MongoServer;
import io.belay.spi.Finding;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExaminationTest {
    private static List<String> replicas(String json) {
        return replicas(json, "{}");
    }

    private static List<String> replicas(String json, String config) {
        return ReplicaSetStatus.findings(BsonDocument.parse(json), BsonDocument.parse(config)).stream()
                .map(finding -> finding.severity() + " " + finding.finding().replaceFirst(":.*", ""))
                .toList();
    }

    @Test
    void aServerAloneIsLookedAtAsFarAsItTells() throws Exception {
        try (MongoServer server = MongoServer.start()) {
            List<Finding> findings = BelayAdmin.examine(MongoSpec.with(server.url(), "belay-timeout=1m"));
            assertThat(findings)
                    .extracting(Finding::subject)
                    .contains("members")
                    .doesNotContain("clock", "clients");
            assertThat(findings)
                    .allSatisfy(finding -> assertThat(finding.finding()).endsWith("."));
        }
    }

    @Test
    void membersThatAreBehindOrAway() {
        assertThat(replicas("{members: [" + member("a", 1, "PRIMARY", 60) + member("b", 2, "SECONDARY", 46)
                        + member("c", 2, "SECONDARY", 30) + member("d", 3, "RECOVERING", 60)
                        + member("e", 8, "(not reachable/healthy)", 0) + member("f", 7, "ARBITER", 0) + "]}"))
                .containsExactly(
                        "WARNING The member c is 30 s behind",
                        "WARNING The member d is RECOVERING",
                        "WARNING The member e is (not reachable/healthy)");
        assertThat(replicas("{members: [" + member("b", 2, "SECONDARY", 10) + "]}"))
                .isEmpty();
        assertThat(replicas("{members: [{}]}")).containsExactly("WARNING The member ? is away");
    }

    @Test
    void aMemberThatIsToldToStayBehindIsBehindBeyondThat() {
        String config = "{members: [{_id: 1}, {_id: 2, secondaryDelaySecs: {$numberLong: '3600'}},"
                + " {_id: 3, slaveDelay: 60}]}";
        assertThat(replicas(
                        "{members: [" + numbered(1, 1, 10_000) + numbered(2, 2, 6_400) + numbered(3, 2, 9_940) + "]}",
                        config))
                .isEmpty();
        assertThat(replicas(
                        "{members: [" + numbered(1, 1, 10_000) + numbered(2, 2, 6_300) + numbered(3, 2, 9_920) + "]}",
                        config))
                .containsExactly("WARNING The member 2 is 3700 s behind", "WARNING The member 3 is 80 s behind");
    }

    private static String numbered(int number, int state, long seconds) {
        return "{_id: " + number + ", "
                + member("" + number, state, "", seconds).substring(1);
    }

    private static String member(String name, int state, String words, long seconds) {
        return "{name: '" + name + "', state: " + state + ", stateStr: '" + words
                + "', optimeDate: {$date: {$numberLong: '" + seconds * 1000 + "'}}},";
    }

    @ParameterizedTest
    @CsvSource({"4.4.5, WARNING NOTE", "4.4.8, WARNING NOTE", "6.0.26, NOTE", "7.0.1, ''", "8.0.20, ''"})
    void aVersion(String version, String severities) {
        assertThat(Examination.versions(BsonDocument.parse("{version: '" + version + "'}")))
                .extracting(finding -> finding.severity().name())
                .isEqualTo(severities.isEmpty() ? List.of() : List.of(severities.split(" ")));
        assertThat(Examination.versions(new BsonDocument())).isEmpty();
    }

    @Test
    void labelsOfClients() {
        assertThat(Examination.labels(BsonDocument.parse("{inprog: [{appName: 'belay/9.9.9'}, {}, {appName: 'x'}]}")))
                .containsExactly("belay/9.9.9", "", "x");
    }

    @Test
    void driverTellsTheVersionUnlessTheUrlNamesAnApplication() {
        assertThat(applicationName("mongodb://127.0.0.1:1")).isEqualTo(ClientVersion.label());
        assertThat(applicationName("mongodb://127.0.0.1:1/?appName=shop")).isEqualTo("shop");
    }

    private static String applicationName(String url) {
        return Connections.settings(MongoUrl.parse(url), null).getApplicationName();
    }
}
