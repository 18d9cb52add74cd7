package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an examination makes of replicas and sentinels as no test can have them in a moment. */
class FindingsTest {
    private static final Address MASTER = new Address("10.0.0.1", 6379);
    private static final Address ONE = new Address("a", 26379);
    private static final Address TWO = new Address("b", 26379);

    private static List<String> replicas(String info, int asked) {
        return texts(
                new ReplicaFindings(new ServerInfo(info), new ReplicaPolicy(asked, Duration.ofMillis(100))).findings());
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.severity() + " " + finding.subject() + ": " + finding.finding())
                .toList();
    }

    @Test
    void replicasThatDoNotFollowDoNotCount() {
        String info = "slave0:ip=10.0.0.2,port=6379,state=online,offset=14,lag=0\r\n"
                + "slave1:ip=::1,port=6380,state=send_bulk,offset=0,lag=0,type=rdb\n"
                + "slave2:ip=10.0.0.4,port=6379,state=online,offset=3,lag=12\n";
        assertThat(replicas(info, 1))
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith(
                                        "WARNING replicas: The replica at [::1]:6380 is not in sync yet (send_bulk)"),
                        text -> assertThat(text)
                                .startsWith("WARNING replicas: The replica at 10.0.0.4:6379 has been silent for 12 s"));
        assertThat(replicas(info, 2)).hasSize(3).first().asString().contains("asks for 2 replicas and 1 follow,");
        assertThat(replicas(info, 0)).hasSize(3).last().asString().contains("fail-over: 3 replicas follow");
        assertThat(replicas("role:master", 0)).isEmpty();
    }

    @Test
    void whereFewerAreRefusedNobodyGetsALock() {
        ReplicaPolicy refusing = new ReplicaPolicy(1, Duration.ofMillis(100), true);
        assertThat(texts(new ReplicaFindings(new ServerInfo("role:master"), refusing).findings()))
                .singleElement()
                .asString()
                .startsWith("DANGER replicas: ")
                .contains("nobody gets a lock");
        assertThat(replicas("role:master", 1))
                .singleElement()
                .asString()
                .startsWith("WARNING replicas: ")
                .contains("no lock is held for longer than one lease");
    }

    @Test
    void aReplicaIsBehindByWhatItHasNotToldToHave() {
        ReplicaFindings seen = new ReplicaFindings(
                new ServerInfo("slave0:ip=10.0.0.2,port=6379,state=online,offset=5000000,lag=1\r\n"
                        + "slave1:ip=10.0.0.3,port=6379,state=online,offset=900,lag=0\r\n"
                        + "slave2:ip=10.0.0.4,port=6379,state=online,offset=3,lag=12\r\n"),
                ReplicaPolicy.NONE);
        assertThat(texts(seen.behind(5_000_900)))
                .singleElement()
                .asString()
                .startsWith("WARNING replicas: The replica at 10.0.0.3:6379 is more than a second and 4 MB behind");
        assertThat(seen.behind(1_000_000)).isEmpty();
    }

    private static Optional<MasterInfo> told(Address master, Map<String, String> more) {
        Map<String, String> fields = new LinkedHashMap<>(Map.of(
                "ip", master.host(),
                "port", Integer.toString(master.port()),
                "config-epoch", "4",
                "quorum", "2",
                "num-other-sentinels", "2",
                "num-slaves", "1",
                "down-after-milliseconds", "5000",
                "failover-timeout", "60000"));
        fields.putAll(more);
        return Optional.ofNullable(MasterInfo.of(fields, List.of()));
    }

    private static List<String> sentinels(Map<String, String> more) {
        return sentinels(told(MASTER, more));
    }

    private static List<String> sentinels(Optional<MasterInfo> second) {
        Map<Address, Optional<MasterInfo>> told = new LinkedHashMap<>();
        told.put(TWO, second);
        told.put(ONE, told(MASTER, Map.of()));
        return texts(new SentinelFindings("m", MASTER, told, Set.of()).findings());
    }

    @Test
    void sentinelsAsTheyShouldBe() {
        assertThat(sentinels(Map.of())).isEmpty();
    }

    @Test
    void sentinelsThatSayOtherThings() {
        assertThat(sentinels(Optional.empty()))
                .singleElement()
                .asString()
                .startsWith("WARNING sentinels: The sentinel at b:26379 does not name the master 'm'");
        assertThat(sentinels(told(new Address("10.0.0.9", 6379), Map.of())))
                .singleElement()
                .asString()
                .startsWith(
                        "DANGER sentinels: The sentinel at b:26379 names 10.0.0.9:6379 as the master and not 10.0.0.1:");
    }

    @Test
    void sentinelsThatCannotReplaceTheMaster() {
        assertThat(sentinels(Map.of("quorum", "4")))
                .singleElement()
                .asString()
                .contains("The quorum is 4 and there are 3 sentinels, so none will ever");
        assertThat(sentinels(Map.of("num-other-sentinels", "1")))
                .singleElement()
                .asString()
                .contains("2 sentinels watch the master");
        assertThat(sentinels(Map.of("num-other-sentinels", "0", "quorum", "1")))
                .singleElement()
                .asString()
                .contains("One sentinel watches the master");
        assertThat(sentinels(Map.of("num-slaves", "0")))
                .singleElement()
                .asString()
                .contains("know no replica");
    }

    @Test
    void sentinelsThatTakeTheirTime() {
        assertThat(sentinels(Map.of("down-after-milliseconds", "30000", "failover-timeout", "180000")))
                .singleElement()
                .asString()
                .startsWith("NOTE fail-over: A master has to be silent for 30 s")
                .contains("tried again after 360 s");
    }
}
