package io.belay.trials.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Restartable;
import io.belay.servers.TcpProxy;
import io.belay.trials.client.Holder;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.plant.Plant;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strikes at proxies before a server that says nothing; what is to be done later is done at once. */
class StrikesTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private Journal journal;

    @BeforeEach
    void open() throws IOException {
        journal = new Journal(directory);
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        opened.add(server);
        for (int i = 0; i < 3; i++) {
            proxies.add(TcpProxy.to(server.getLocalPort()));
        }
        opened.addAll(proxies);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        journal.close();
    }

    private void connect(int client) throws IOException {
        opened.add(
                new Socket(InetAddress.getLoopbackAddress(), proxies.get(client).port()));
        Awaitility.await().until(() -> proxies.get(client).connections() == 1);
    }

    /** A scene in which each client has a way of its own, or all share those of three members. */
    private Scene scene(boolean shared) throws IOException {
        Site site = new Site() {
            @Override
            public String url(int client) {
                return proxies.get(client).url();
            }

            @Override
            public List<Restartable> servers() {
                return List.of();
            }

            @Override
            public List<TcpProxy> network(int client) {
                return List.of(proxies.get(client));
            }

            @Override
            public boolean sharesNetwork() {
                return shared;
            }

            @Override
            public String wayOf(int client) {
                return (shared ? "member-" : "") + client;
            }

            @Override
            public void close() {
                // The test does.
            }
        };
        Signals signals = new Signals();
        opened.add(signals);
        Clients clients = new Clients(
                (index, run) -> {
                    throw new IllegalStateException("none is started");
                },
                Builds.one(),
                signals,
                journal,
                Holder.open(directory, -1));
        return new Scene(clients, site, signals, journal, plan("redis", Fault.HALF_OPEN, "mutex"));
    }

    private Plan plan(String store, Fault fault, String workload) {
        return new Plan(store, fault, workload, "belay", Plant.NONE, 10, 1, directory);
    }

    private List<String> struck() throws IOException {
        return HistoryFile.readAll(directory).stream()
                .filter(event -> event.type() == Type.STRIKE)
                .map(Event::name)
                .toList();
    }

    @Test
    void whereThereIsNoConnectionNoneBecomesHalfOpen() throws Exception {
        Scene scene = scene(false);
        connect(1);
        new HalfOpen().strike(scene, 0);
        assertThat(struck()).isEmpty();
        assertThat(journal.strikes()).isZero();
        new HalfOpen().strike(scene, 1);
        assertThat(struck()).containsExactly("half-open-of-1");
    }

    @Test
    void oneClientAtATimeHasHalfOpenConnections() throws Exception {
        Scene scene = scene(false);
        connect(0);
        connect(1);
        new HalfOpen().strike(scene, 0);
        new HalfOpen().strike(scene, 1);
        assertThat(struck()).containsExactly("half-open-of-0");
        assertThat(proxies.get(1).halfOpen()).isEqualTo(1); // its was not touched
        connect(2);
        scene.calm();
        new HalfOpen().strike(scene, 2);
        assertThat(struck()).containsExactly("half-open-of-0", "half-open-of-2");
    }

    @Test
    void whatAllShareIsNamedByTheMember() throws Exception {
        Scene scene = scene(true);
        connect(1);
        new HalfOpen().strike(scene, 1);
        assertThat(struck()).containsExactly("half-open-of-member-1");
    }

    @Test
    void noTwoMembersLoseTheirRepliesAtATime() throws Exception {
        Scene scene = scene(true);
        StrikeNetwork losing = new StrikeNetwork(StrikeNetwork.Way.LOSE_REPLIES);
        losing.strike(scene, 0, 1);
        losing.strike(scene, 1, 1);
        new StrikeNetwork(StrikeNetwork.Way.SILENCE).strike(scene, 2, 1);
        assertThat(struck()).containsExactly("lose-replies-of-member-0", "silence-of-member-2");
        scene.calm();
        losing.strike(scene, 1, 1);
        assertThat(struck()).endsWith("lose-replies-of-member-1");
    }

    @Test
    void severalClientsMayLoseTheirsThatHaveWaysOfTheirOwn() throws Exception {
        Scene scene = scene(false);
        StrikeNetwork losing = new StrikeNetwork(StrikeNetwork.Way.LOSE_REPLIES);
        losing.strike(scene, 0, 1);
        losing.strike(scene, 1, 1);
        losing.strike(scene, 1, 1);
        assertThat(struck()).containsExactly("lose-replies-of-0", "lose-replies-of-1");
    }

    @Test
    void aSceneIsQuietOnceNothingIsStruckAnyMore() throws Exception {
        Scene scene = scene(false);
        assertThat(scene.isQuietFor(Duration.ZERO)).isTrue();
        assertThat(scene.isQuietFor(Duration.ofHours(1))).isFalse();
        scene.strike("a", "a");
        assertThat(scene.isQuietFor(Duration.ZERO)).isFalse();
        scene.calm("a", "a", 1);
        assertThat(scene.isQuietFor(Duration.ZERO)).isFalse();
        scene.calm();
        assertThat(scene.isQuietFor(Duration.ZERO)).isTrue();
    }

    @Test
    void aStormHasQuietTimesInWhichItsRateCanBeCompared() {
        for (String store : List.of("redis", "quorum", "etcd", "zookeeper")) {
            Plan outage = plan(store, Fault.OUTAGE, "storm");
            assertThat(outage.judgesRate()).isTrue();
            assertThat(outage.calm()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
            assertThat(plan(store, Fault.OUTAGE, "mutex").judgesRate()).isFalse();
        }
        assertThat(plan("redis", Fault.SERVER, "storm").judgesRate()).isTrue();
        assertThat(plan("quorum", Fault.SERVER, "storm").judgesRate()).isTrue();
        // A member is not the store.
        assertThat(plan("etcd", Fault.SERVER, "storm").judgesRate()).isFalse();
    }

    @Test
    void theLastHalfOpenConnectionsWorkAgainBeforeTheCalm() {
        Plan plan = plan("redis", Fault.HALF_OPEN, "mutex");
        assertThat(plan.lastStrike()).isEqualTo(Sites.worksAgain("redis", plan.lease()));
        assertThat(plan("redis", Fault.PAUSE, "mutex").lastStrike()).isZero();
    }
}
