package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.barriers.DistributedBarrier;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page for those who come from Curator has all that its locks can do, and what it says of them is so. */
class CuratorPageTest {
    private static final PeerPage PAGE = new PeerPage("migrating-from-curator.md");

    @ParameterizedTest
    @ValueSource(
            classes = {
                InterProcessMutex.class,
                InterProcessSemaphoreMutex.class,
                InterProcessReadWriteLock.class,
                InterProcessSemaphoreV2.class,
                InterProcessMultiLock.class,
                LeaderLatch.class,
                LeaderSelector.class,
                DistributedBarrier.class,
                DistributedDoubleBarrier.class
            })
    void thePageHasEveryMethod(Class<?> type) throws Exception {
        boolean barrier = type.getSimpleName().endsWith("Barrier");
        String section =
                PAGE.section(barrier ? "DistributedBarrier and DistributedDoubleBarrier" : type.getSimpleName());
        List<String> methods = Arrays.stream(type.getMethods())
                .filter(method ->
                        !Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() != Object.class)
                .filter(method -> !method.isSynthetic() && !method.isBridge())
                .map(PeerPage::shown)
                .distinct()
                .toList();
        assertThat(methods)
                .isNotEmpty()
                .allSatisfy(method -> assertThat(section).contains(method));
    }

    @Test
    void theTimesOfAClientAreAsThePageSays() throws Exception {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder();
        assertThat(PAGE.section("The client"))
                .contains("`sessionTimeoutMs` (" + builder.getSessionTimeoutMs() / 1000 + " s)")
                .contains("`connectionTimeoutMs` (" + builder.getConnectionTimeoutMs() / 1000 + " s)");
    }

    @Test
    void aMutexIsBelievedToBeOwnedAfterItsSessionExpiredAsThePageSays() throws Exception {
        assertThat(PAGE.section("What differs everywhere"))
                .contains(
                        "`isOwnedByCurrentThread` still says yes after the session has expired**, and `release` throws");
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework client = connected(server);
                CuratorFramework other = connected(server)) {
            CountDownLatch expired = new CountDownLatch(1);
            client.getConnectionStateListenable().addListener((self, state) -> {
                if (state == ConnectionState.LOST) {
                    expired.countDown();
                }
            });
            InterProcessMutex mutex = new InterProcessMutex(client, "/locks/x");
            mutex.acquire();
            end(client, server);
            InterProcessMutex another = new InterProcessMutex(other, "/locks/x");
            assertThat(another.acquire(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(expired.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(mutex.isOwnedByCurrentThread()).isTrue();
            assertThatCode(mutex::release).doesNotThrowAnyException();
        }
    }

    private static CuratorFramework connected(ZooKeeperServer server) throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(server.address(), new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        return client;
    }

    /** Ends a client's session, as whoever connects by it and closes it does. */
    private static void end(CuratorFramework client, ZooKeeperServer server) throws Exception {
        ZooKeeper session = client.getZookeeperClient().getZooKeeper();
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper same = new ZooKeeper(
                server.address(),
                session.getSessionTimeout(),
                event -> connected.countDown(),
                session.getSessionId(),
                session.getSessionPasswd())) {
            assertThat(connected.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void theSnippetsCompile() throws Exception {
        String fields = "interface Stock { void sell(long token); } Stock stock;"
                + "interface Scheduler { void run(long token); void stop(); } Scheduler scheduler;";
        // The first block makes the client that the others take for granted.
        assertThat(PAGE.snippets().count()).isGreaterThan(2);
        assertThat(PAGE.snippets().complaints(CuratorPageTest.class, List.of("io.belay.*"), "Belay belay;" + fields))
                .isEmpty();
    }
}
