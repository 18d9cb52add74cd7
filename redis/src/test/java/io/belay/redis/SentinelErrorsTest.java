package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.RedisServerBuilder;
import io.belay.spi.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sentinels and servers with passwords of their own, what users are told when they cannot help, and the doctor. */
class SentinelErrorsTest {
    private static final String NAME = RedisSentinels.NAME;
    private static final String RIGHTS = "resetchannels " + Sentinels.RIGHTS;

    private static RedisSentinels trio;

    @BeforeAll
    static void start() throws Exception {
        Told.warmUp();
        RedisServer master = server().start();
        RedisServer replica = server().replicaOf(master.port()).start();
        trio = RedisSentinels.watch(
                List.of(master, replica),
                RedisSentinels.PATIENT,
                "sentinel auth-pass " + NAME + " geheim",
                "requirepass geheim-2",
                "sentinel sentinel-pass geheim-2",
                "user watcher on >geheim-3 " + RIGHTS,
                "user deaf on >geheim-4 " + RIGHTS.replace("&+switch-master ", ""));
    }

    private static RedisServerBuilder server() {
        return RedisServer.builder(Version.V7_0).password("geheim").options("--masterauth", "geheim");
    }

    @AfterAll
    static void end() {
        trio.close();
    }

    private static String url(String addresses, String parameters) {
        return "redis-sentinel://:geheim@" + addresses + "?master=" + NAME + parameters;
    }

    private static void works(String url) throws Exception {
        try (Belay belay = Belay.connect(url);
                Lease lease = belay.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void eachHasItsOwnPassword() throws Exception {
        works(url(trio.addresses(), "&sentinel-password=geheim-2"));
        works(url(trio.addresses(), "&sentinel-password=geheim-2&protocol=resp2"));
        assertThat(Told.unusable(url(trio.addresses(), "")))
                .contains(
                        "The sentinels at",
                        "asks for a password, or its user default is off: write &sentinel-password=");
        assertThat(Told.unusable(url(trio.addresses(), "&sentinel-password=geheim-x")))
                .contains("refused the user or password");
        assertThat(Told.unusable(
                        url(trio.addresses(), "&sentinel-password=geheim-2").replace(":geheim@", "")))
                .contains("the master '" + NAME + "'", "asks for a password");
    }

    @Test
    void aUserOfTheSentinelsNeedsFewRights() throws Exception {
        try (Belay belay = Belay.connect(url(trio.addresses(), "&sentinel-user=watcher&sentinel-password=geheim-3"))) {
            belay.lock("y").acquire();
            await().until(() -> trio.sentinels().stream().anyMatch(SentinelErrorsTest::isListenedTo));
        }
    }

    private static boolean isListenedTo(RedisServer sentinel) {
        try {
            return sentinel.command("CLIENT", "LIST")
                    .lines()
                    .anyMatch(line -> line.contains("user=watcher") && line.contains("sub=1"));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void oneThatAnswersIsEnough() throws Exception {
        works(url("127.0.0.1:1,127.0.0.1:2," + trio.addresses(), "&sentinel-password=geheim-2"));
    }

    @Test
    void noneAnswers() {
        assertThat(Told.unavailable(url("127.0.0.1:1,127.0.0.1:2", "")))
                .startsWith("The sentinels at 127.0.0.1:1, 127.0.0.1:2 cannot say")
                .contains("Sentinel at 127.0.0.1:2 cannot be reached", "is it running?");
    }

    @Test
    void noneKnowsTheName() {
        String url = url(trio.addresses(), "&sentinel-password=geheim-2").replace(NAME, "nobody");
        assertThat(Told.unusable(url)).endsWith("know no master 'nobody': check master= in the URL");
    }

    /** Connections of a question are closed while the client is, by many at a time. */
    @Test
    void whatIsClosedWithItsClientIsClosedOnce() throws Exception {
        String url = url(trio.addresses(), "&sentinel-password=geheim-2");
        String nobody = url.replace(NAME, "nobody");
        assertThat(Told.quietly(() -> {
                    List<CompletableFuture<Void>> all = IntStream.range(0, 8)
                            .mapToObj(i -> CompletableFuture.runAsync(() -> connectOften(i % 2 == 0 ? url : nobody)))
                            .toList();
                    all.forEach(CompletableFuture::join);
                }))
                .isNull();
    }

    private static void connectOften(String url) {
        for (int i = 0; i < 15; i++) {
            try (Belay belay = Belay.connect(url)) {
                assertThat(belay).isNotNull();
            } catch (StoreMisconfiguredException e) {
                assertThat(e).hasMessageContaining("nobody");
            }
        }
    }

    @Test
    void oneIsTakenForTheOther() {
        RedisServer master = trio.servers().get(0);
        assertThat(Told.unusable(url("127.0.0.1:" + master.port(), "&sentinel-password=geheim")))
                .contains("is no sentinel: write redis://");
        String sentinel =
                "redis://:geheim-2@127.0.0.1:" + trio.sentinels().get(0).port();
        assertThat(Told.unusable(sentinel)).contains("is a sentinel: write redis-sentinel://");
    }

    @Test
    void theMasterCannotBeReached() throws Exception {
        try (RedisSentinels alone = RedisSentinels.start(Version.V7_0, 0)) {
            RedisServer master = alone.master();
            master.kill();
            assertThat(Told.unavailable("redis-sentinel://" + alone.addresses() + "?master=" + NAME))
                    .contains("Redis at 127.0.0.1:" + master.port() + ", the master '" + NAME + "', cannot be reached");
        }
    }

    /** Its URL has led to the master before, so the name in it is right. */
    @Test
    void sentinelsThatHaveForgottenTheMasterAreWaitedFor() throws Exception {
        try (RedisSentinels alone = RedisSentinels.start(Version.V7_0, 0);
                Belay belay = Belay.connect("redis-sentinel://" + alone.addresses() + "?master=" + NAME)) {
            RedisServer master = alone.master();
            belay.lock("x").acquire().close();
            for (RedisServer sentinel : alone.sentinels()) {
                sentinel.command("SENTINEL", "REMOVE", NAME);
            }
            master.kill();
            Duration soon = Duration.ofMillis(200);
            await().until(
                            () -> catchThrowable(() -> belay.lock("x").tryAcquire(soon)),
                            told -> told != null && told.getMessage().contains("know no master"));
            assertThatThrownBy(() -> belay.lock("x").tryAcquire(soon)).isInstanceOf(StoreUnavailableException.class);
            master.startAgain();
            for (RedisServer sentinel : alone.sentinels()) {
                sentinel.command("SENTINEL", "MONITOR", NAME, "127.0.0.1", String.valueOf(master.port()), "2");
            }
            assertThat(belay.lock("x").tryAcquire(Pace.patience())).isPresent();
        }
    }

    @Test
    void theDoctorSeesBoth() {
        List<Finding> findings = examine(trio.addresses());
        assertThat(findings)
                .extracting(Finding::subject)
                .contains("persistence")
                .doesNotContain("sentinels");
        assertThat(findings)
                .extracting(Finding::finding)
                .anyMatch(sentence -> sentence.startsWith("A replica follows"));
        assertThat(examine(trio.addresses() + ",127.0.0.1:1"))
                .filteredOn(finding -> finding.subject().equals("sentinels"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.finding()).contains("127.0.0.1:1 does not name the master"));
    }

    @Test
    void theDoctorSeesAUserWhoMayNotListen() {
        String url = url(trio.addresses(), "&sentinel-user=deaf&sentinel-password=geheim-4");
        assertThat(new RedisStoreProvider().examine(url))
                .filteredOn(finding -> finding.subject().equals("sentinels"))
                .hasSize(trio.sentinels().size())
                .allSatisfy(finding -> {
                    assertThat(finding.finding()).contains("does not let its user listen");
                    assertThat(finding.cure()).contains("&+switch-master");
                });
        assertThat(new RedisStoreProvider()
                        .examine(url.replace("deaf", "watcher").replace("geheim-4", "geheim-3")))
                .noneMatch(finding -> finding.subject().equals("sentinels"));
    }

    private static List<Finding> examine(String addresses) {
        return new RedisStoreProvider().examine(url(addresses, "&sentinel-password=geheim-2"));
    }
}
