package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.server.ClientVersion;
import io.belay.servers.FakeRedis;
import io.belay.servers.Monitor;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExaminationTest {
    /** One of each version with nothing to find; who changes one puts it back. */
    private static final Map<Version, RedisServer> SERVERS = new EnumMap<>(Version.class);

    /** One that has been silent for longer does not follow its master. */
    private static final Duration SILENT = Duration.ofSeconds(10);

    private static final Pattern LAG = Pattern.compile("state=online,.*lag=(\\d+)");

    @BeforeAll
    static void start() throws Exception {
        for (Version version : Version.values()) {
            SERVERS.put(version, started(version, "--appendonly", "yes", "--appendfsync", "always"));
        }
    }

    private static RedisServer started(Version version, String... options) throws Exception {
        String rules = "on >secret " + Settings.parse("redis://x").rights();
        return RedisServer.builder(version)
                .password("boss")
                .user("poor", rules.split(" "))
                .user("app", (rules + " +wait +config|get +acl|getuser +client|list").split(" "))
                .options("--acl-pubsub-default", "resetchannels") // as it is from 7.0 on
                .options(options)
                .start();
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RedisServer::close);
    }

    private static RedisServer server() {
        return SERVERS.get(Version.V7_0);
    }

    private static String url(RedisServer server, String user) {
        return server.url().replace("//", "//" + user + "@");
    }

    private static List<Finding> examine(RedisServer server) {
        return examine(url(server, "app:secret"));
    }

    /** Does what {@link io.belay.spi.StoreProvider#examine} does, with a shorter look at the clock. */
    private static List<Finding> examine(String url) {
        return Inquiry.of(Redis.parse(url), Duration.ofMillis(50)).findings();
    }

    /** Returns all that is not said of the version: which faults it has is for the tests of {@link RedisFaults}. */
    private static String seen(List<Finding> findings) {
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.finding()).endsWith(".").doesNotContain("\n", "secret");
            assertThat(finding.cure()).endsWith(".").doesNotContain("\n", "secret");
        });
        return findings.stream()
                .filter(finding -> !finding.subject().equals("version"))
                .map(finding -> finding.severity() + " " + finding.subject())
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsAsItShouldBeIsNotMentioned(Version version) throws Exception {
        RedisServer server = SERVERS.get(version);
        server.command("ACL", "LOG", "RESET");
        try (Monitor monitor = server.monitor()) {
            assertThat(seen(new RedisStoreProvider().examine(url(server, "app:secret"))))
                    .isEmpty();
            assertThat(monitor.lines())
                    .map(line -> line.split("\"")[1])
                    .containsExactly(
                            ("HELLO INFO TIME TIME TIME TIME TIME TIME TIME GET GETRANGE PTTL SETRANGE SET EVALSHA EVAL"
                                            + " PUBLISH SUBSCRIBE")
                                    .split(" "));
        }
        assertThat(server.command("DBSIZE")).isEqualTo("0");
        assertThat(server.command("ACL", "LOG")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "maxmemory-policy, volatile-lru, WARNING eviction, removes locks while they are held once",
        "maxmemory-policy, allkeys-random, WARNING eviction, allkeys-random",
        "appendonly, no, WARNING persistence, 'Nothing is kept on disk, so a restart forgets all locks,'",
        "appendfsync, everysec, NOTE persistence, one or two seconds",
        "appendfsync, no, WARNING persistence, half minute",
        "client-output-buffer-limit, pubsub 1mb 1kb 60, WARNING buffers, pubsub 1048576 1024",
        "client-output-buffer-limit, pubsub 512kb 0 0, WARNING buffers, pubsub 524288 0",
        "client-output-buffer-limit, pubsub 1mb 0 0, '', ''",
        "acl-pubsub-default, allchannels, WARNING channels, may publish on belay:* can grant and end locks",
        "timeout, 7, '', ''",
        "protected-mode, no, '', ''",
    })
    void aParameter(String name, String value, String expected, String words) throws IOException {
        List<Finding> findings = examineWith(name, value, url(server(), "app:secret"));
        assertThat(seen(findings)).isEqualTo(expected);
        assertThat(findings)
                .filteredOn(finding -> !finding.subject().equals("version"))
                .allSatisfy(finding -> assertThat(finding.finding()).contains(words));
    }

    private static List<Finding> examineWith(String name, String value, String url) throws IOException {
        String old = server().command("CONFIG", "GET", name).split("\n", 2)[1];
        server().command("CONFIG", "SET", name, value);
        try {
            return examine(url);
        } finally {
            server().command("CONFIG", "SET", name, old);
        }
    }

    @Test
    void onlyAConnectionThatIsNotSubscribedCanBeIdleForTooLong() throws IOException {
        List<Finding> findings = examineWith("timeout", "7", url(server(), "app:secret") + "?protocol=resp2");
        assertThat(seen(findings)).isEqualTo("WARNING idle connections");
        assertThat(findings.get(0).finding()).contains("idle for 7 s");
    }

    @Test
    void snapshotsAlone() throws Exception {
        try (RedisServer server = started(Version.V7_0, "--save", "3600 1")) {
            List<Finding> findings = examine(server);
            assertThat(seen(findings)).isEqualTo("WARNING persistence");
            assertThat(findings.get(0).finding()).startsWith("Only snapshots");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLimitOfMemory(Version version) throws IOException {
        RedisServer server = SERVERS.get(version);
        server.command("CONFIG", "SET", "maxmemory", "1gb");
        try {
            assertThat(seen(examine(server))).isEmpty();
            server.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
            assertThat(seen(examine(server))).isEqualTo("DANGER eviction");
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            server.command("CONFIG", "SET", "maxmemory", "100kb");
            assertThat(seen(examine(server))).isEqualTo("WARNING memory");
            assertThat(examine(server).get(0).finding())
                    .contains(version == Version.V6_2 ? "take, renew or release a lock." : "take a lock.");
        } finally {
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheUserMayNotAsk(Version version) throws IOException {
        RedisServer server = SERVERS.get(version);
        String url = url(server, "poor:secret");
        Finding finding = last(examine(url));
        assertThat(seen(List.of(finding))).isEqualTo("NOTE not seen");
        assertThat(finding.finding())
                .contains("The user poor ", "disk", "passwords", "the versions of its clients")
                .doesNotContain("clock");
        String cure = finding.cure();
        server.command(
                cure.substring(cure.indexOf("ACL"), cure.indexOf(" to let")).split(" "));
        assertThat(seen(examine(url))).isEmpty();
        server.command("ACL", "SETUSER", "poor", "-config", "-acl", "-client", "-time");
        assertThat(last(examine(url)).finding()).contains("clock");
    }

    /** All that are missing are told at once, and what is told is what helps. */
    @ParameterizedTest
    @EnumSource
    void rightsThatLocksNeedAndTheUserLacks(Version version) throws IOException {
        RedisServer server = SERVERS.get(version);
        String all = Settings.parse("redis://x").rights() + " +config|get +acl|getuser +client|list ";
        Map<String, String> missing = new TreeMap<>(Map.of(
                "-evalsha", "+evalsha",
                "-@scripting", "+evalsha +eval",
                "resetchannels", "&belay:*",
                "resetkeys", "~belay:*",
                "-subscribe -publish", "+publish +subscribe",
                "-get -getrange -pttl -setrange -set", "+get +getrange +pttl +setrange +set"));
        if (version != Version.V6_2) { // which does not tell without a key that is written
            missing.put("-append", "+append");
        }
        for (String rule : missing.keySet()) {
            server.command(("ACL SETUSER lacking reset on >secret " + all + rule).split(" "));
            String url = url(server, "lacking:secret");
            List<Finding> findings = examine(url);
            assertThat(seen(findings)).as(rule).isEqualTo("DANGER rights");
            String rights = missing.get(rule);
            Finding finding = findings.stream()
                    .filter(one -> one.subject().equals("rights"))
                    .findFirst()
                    .orElseThrow();
            assertThat(finding.finding())
                    .isEqualTo("The user lacking lacks rights that locks need, so no client is let in as that user: "
                            + rights + ".");
            assertThat(finding.cure()).isEqualTo("Run ACL SETUSER lacking " + rights + " to grant them.");
            server.command(("ACL SETUSER lacking " + rights).split(" "));
            assertThat(seen(examine(url))).as(rule).isEmpty();
        }
        assertThat(seen(examine(url(server, "lacking:secret") + "?protocol=resp2&replicas=1")))
                .contains("DANGER rights");
        server.command("ACL", "DELUSER", "lacking");
        assertThat(server.command("DBSIZE")).isEqualTo("0");
    }

    private static Finding last(List<Finding> findings) {
        return findings.get(findings.size() - 1);
    }

    @ParameterizedTest
    @EnumSource
    void whoMayLogIn(Version version) throws IOException {
        RedisServer server = SERVERS.get(version);
        assertThat(access(server, ":boss")).isEqualTo("NOTE rights");
        server.command("ACL", "SETUSER", "app", "nopass");
        assertThat(access(server, "app:any")).isEqualTo("WARNING password");
        server.command("ACL", "SETUSER", "app", "resetpass", ">secret");
        server.command("ACL", "SETUSER", "default", "nopass");
        assertThat(access(server, "app:secret")).isEqualTo("WARNING password");
        assertThat(access(server, "")).isEqualTo("WARNING password");
        server.command("CONFIG", "SET", "protected-mode", "no");
        assertThat(access(server, "")).as("listens here alone").isEqualTo("WARNING password");
        server.command("ACL", "SETUSER", "default", "off");
        assertThat(access(server, "app:secret")).isEmpty();
        server.command("ACL", "SETUSER", "default", "on", "resetpass", ">boss");
        server.command("CONFIG", "SET", "protected-mode", "yes");
    }

    @ParameterizedTest
    @EnumSource
    void whoMayPublishWhatClientsBelieve(Version version) throws IOException {
        RedisServer server = SERVERS.get(version);
        server.command("ACL", "SETUSER", "default", "nocommands");
        List<Finding> findings = examine(server);
        server.command("ACL", "SETUSER", "default", "resetchannels", "&news");
        assertThat(seen(examine(server))).isEmpty();
        server.command("ACL", "SETUSER", "default", "allchannels", "allcommands");
        assertThat(seen(findings)).isEqualTo("WARNING channels");
        assertThat(findings)
                .extracting(Finding::finding)
                .contains(
                        "The user default may publish on all channels, and whoever may publish on belay:* can grant and"
                                + " end locks.");
    }

    private static String access(RedisServer server, String user) {
        return seen(examine(user.isEmpty() ? server.url() : url(server, user)));
    }

    @Test
    void replicasAndWhatIsRefused() throws Exception {
        String master = Integer.toString(server().port());
        try (RedisServer replica = started(Version.V7_0, "--replicaof", "127.0.0.1", master, "--masterauth", "boss");
                RedisServer node = started(Version.V7_0, "--cluster-enabled", "yes")) {
            refusedAsByConnect(url(replica, "app:secret"), "is a replica");
            refusedAsByConnect(url(node, "app:secret"), "is a node of a cluster");
            await().until(() -> server().command("INFO", "replication").contains("state=online"));
            List<Finding> unawaited = examine(server());
            assertThat(seen(unawaited)).isEqualTo("WARNING fail-over");
            assertThat(unawaited.get(0).cure()).contains("grants nothing (and renews nothing: have two,");
            assertThat(seen(examineWith("min-replicas-to-write", "1", url(server(), "app:secret"))))
                    .isEqualTo("NOTE fail-over");
            String url = url(server(), "app:secret");
            assertThat(seen(examine(url + "?replicas=1"))).isEmpty();
            List<Finding> tooFew = examine(url + "?replicas=2");
            assertThat(seen(tooFew)).isEqualTo("WARNING replicas");
            assertThat(tooFew.get(0).finding()).contains("asks for 2 replicas and 1 follow,");
        }
        await().until(() -> server().command("INFO", "replication").contains("connected_slaves:0"));
        refusedAsByConnect(url(server(), "app:wrong"), "refused the user or password");
        refusedAsByConnect(server().url(), "asks for a password");
        refusedAsByConnect("redis://127.0.0.1:1", "cannot be reached");
        refusedAsByConnect("redis://app:secret@127.0.0.1:1?prefix=*", "prefix");
    }

    @Test
    void aReplicaThatDoesNotKeepUp() throws Exception {
        Premise.withLease(SILENT, lease -> falls3MegabytesBehind());
    }

    private static void falls3MegabytesBehind() throws Exception {
        try (RedisServer master = started(Version.V7_0, "--appendonly", "yes", "--appendfsync", "always");
                RedisServer replica = started(
                        Version.V7_0,
                        "--replicaof",
                        "127.0.0.1",
                        Integer.toString(master.port()),
                        "--masterauth",
                        "boss")) {
            await().until(() -> master.command("INFO", "replication").contains("state=online"));
            replica.stop();
            master.command("SET", "belay:some", "x".repeat(3 << 20));
            List<Finding> findings = examine(url(master, "app:secret") + "?replicas=1");
            Premise.check(lag(master).compareTo(SILENT) <= 0, "the replica has not been silent for long");
            assertThat(findings)
                    .extracting(Finding::finding)
                    .anyMatch(sentence -> sentence.contains(" is more than a second and 3 MB behind"));
            replica.resume();
        }
    }

    /** Returns for how long the only replica has been silent, as far as its master knows. */
    private static Duration lag(RedisServer master) throws IOException {
        Matcher replica = LAG.matcher(master.command("INFO", "replication"));
        return Duration.ofSeconds(replica.find() ? Long.parseLong(replica.group(1)) : Long.MAX_VALUE);
    }

    private static void refusedAsByConnect(String url, String words) {
        Throwable byConnect = catchThrowable(() ->
                new RedisStoreProvider().open(url, 1, new RecordingListener()).close());
        assertThat(byConnect).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> examine(url))
                .isInstanceOf(StoreException.class)
                .hasMessage(byConnect.getMessage())
                .hasMessageContaining(words)
                .hasMessageNotContaining("\n");
    }

    /** What no server on this machine can show. */
    private static String imagined(String url, String info) {
        return seen(new Examination(
                        Settings.parse(url),
                        new ServerInfo("redis_version:7.0.15\r\naof_enabled:1\r\n" + info),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of())
                .findings());
    }

    @Test
    void theNetwork() {
        assertThat(imagined("redis://u:p@localhost", "")).isEmpty();
        assertThat(imagined("redis://u:p@[::1]", "")).isEmpty();
        assertThat(imagined("unix:/run/redis.sock?password=p", "")).isEmpty();
        assertThat(imagined("redis://u:p@192.0.2.1", "")).isEqualTo("WARNING encryption");
        assertThat(imagined("rediss://u:p@192.0.2.1", "")).isEmpty();
        assertThat(imagined("rediss://u:p@192.0.2.1?verify=none", "")).isEqualTo("WARNING encryption");
    }

    @Test
    void crowds() {
        assertThat(imagined("redis://u:p@localhost", "maxclients:100\r\nconnected_clients:90\r\n"))
                .isEmpty();
        assertThat(imagined("redis://u:p@localhost", "maxclients:100\r\nconnected_clients:91\r\n"))
                .isEqualTo("WARNING connections");
    }

    @ParameterizedTest
    @CsvSource({
        "rdb_last_bgsave_status:ok, ''",
        "rdb_last_bgsave_status:err, DANGER persistence",
        "aof_last_write_status:err, DANGER persistence",
    })
    void whatCouldNotBeWritten(String info, String expected) {
        assertThat(imagined("redis://u:p@localhost", info + "\r\n")).isEqualTo(expected);
    }

    @Test
    void aVersionWithFaultsIsNamed() throws IOException {
        assertThat(ofFake("6.2.19"))
                .contains("NOTE Redis 6.2.19 lets whoever may run scripts")
                .doesNotContain("min-replicas-to-write");
        assertThat(ofFake("6.2.6"))
                .contains(
                        "WARNING Redis 6.2.6 writes in scripts, as locks have to, though min-replicas-to-write forbids it");
        assertThat(ofFake("7.2.11")).doesNotContain("CVE");
        assertThat(ofFake("8.2.1")).contains("NOTE Redis 8.2.1 lets whoever may run scripts");
        String valkey = "7.2.4\r\nserver_name:valkey\r\nvalkey_version:";
        assertThat(ofFake(valkey + "7.2.10")).contains("NOTE Valkey 7.2.10 lets whoever may run scripts");
        assertThat(ofFake(valkey + "7.2.11")).doesNotContain("CVE");
        assertThat(ofFake(valkey + "8.0.5")).contains("NOTE Valkey 8.0.5 lets whoever may run scripts");
        assertThat(ofFake(valkey + "8.0.6")).doesNotContain("CVE");
        assertThat(ofFake(valkey + "8.1.3")).contains("NOTE Valkey 8.1.3 lets whoever may run scripts");
        assertThat(ofFake(valkey + "9.1.2")).doesNotContain("CVE");
    }

    /** What is said of a server of that version, on whose clock a day passes at each look after the third. */
    private static String ofFake(String version) throws IOException {
        AtomicLong looks = new AtomicLong();
        try (FakeRedis fake = FakeRedis.start(name -> switch (name) {
            case "PING" -> "+PONG";
            case "INFO" -> FakeRedis.info(version);
            case "TIME" ->
                "*2\r\n$10\r\n" + (1_700_000_000 + 86_400 * Math.max(0, looks.incrementAndGet() - 3)) + "\r\n$1\r\n0";
            default -> "-ERR unknown command '" + name + "'";
        })) {
            return examine(fake.url()).stream()
                    .map(finding -> finding.severity() + " " + finding.finding())
                    .collect(Collectors.joining("\n"));
        }
    }

    @Test
    void aClockThatIsSetWhileItIsWatched() throws IOException {
        assertThat(ofFake("7.2.11"))
                .contains("DANGER The server's clock ran ahead by 259") // three days, less what the looks take
                .contains("NOTE The server's clock is ")
                .contains(" behind this machine's");
    }

    @ParameterizedTest
    @ValueSource(longs = {10, -10})
    void aClockThatIsOff(long seconds) throws Exception {
        assumeTrue(RedisServer.canSetClock(), "there is no faketime");
        try (RedisServer server = RedisServer.builder(Version.V6_2)
                .clock(Duration.ofSeconds(seconds))
                .start()) {
            assertThat(examine(server.url()))
                    .extracting(Finding::finding)
                    .anySatisfy(sentence -> assertThat(sentence)
                            .startsWith("The server's clock is ")
                            .contains(seconds > 0 ? " ahead of this machine's" : " behind this machine's"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsTellTheirVersion(Version version) throws Exception {
        RedisServer server = SERVERS.get(version);
        String url = url(server, "app:secret");
        server.command("ACL", "LOG", "RESET");
        try (Belay three = Belay.connect(url);
                Belay two = Belay.connect(url + "?protocol=resp2")) {
            assertThat(two.admin().inspect("x").claims())
                    .isEqualTo(three.admin().inspect("x").claims());
            assertThat(server.command("CLIENT", "LIST")).containsOnlyOnce(" name=" + ClientVersion.label() + " ");
            assertThat(seen(examine(server))).isEmpty();
        }
        assertThat(server.command("ACL", "LOG")).isEmpty();
        RedisClient other = RedisClient.create(RedisURI.builder(RedisURI.create(server.url()))
                .withClientName("belay/9.9.9")
                .withPassword("boss")
                .build());
        try {
            other.connect();
            List<Finding> findings = examine(server);
            assertThat(seen(findings)).isEqualTo("WARNING clients");
            assertThat(findings)
                    .extracting(Finding::finding)
                    .anyMatch(sentence -> sentence.startsWith("Clients of Belay 9.9.9 are connected"));
        } finally {
            other.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }
}
