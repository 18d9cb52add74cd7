package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that let a path have so many nodes and no more. */
@Tag("consensus")
class QuotaTest {
    private static final String ROOT = "/belay";

    private static byte[] limit(int nodes) {
        StatsTrack limit = new StatsTrack();
        limit.setCount(-1);
        limit.setBytes(-1);
        limit.setByteHardLimit(-1);
        limit.setCountHardLimit(nodes);
        return limit.getStatsBytes();
    }

    /** Does what the command setquota does. */
    private static void setQuota(ZooKeeper admin, int nodes) throws Exception {
        make(admin, Quotas.quotaPath(ROOT), new byte[0]);
        make(admin, Quotas.limitPath(ROOT), limit(nodes));
        make(admin, Quotas.statPath(ROOT), limit(0));
    }

    private static void make(ZooKeeper admin, String path, byte[] data) throws Exception {
        admin.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    /** A second one of its process waits, so the lock yields to the other process when its turn is over. */
    @Test
    void whoeverWaitsGetsTheLockWhileTheQuotaIsUsedUp() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeperServer server = ZooKeeperServer.start(List.of("enforceQuota=true"));
                ZooKeeper admin = new ZooKeeper(server.address(), 60_000, event -> connected.countDown());
                Belay one = Belay.connect(server.url());
                Belay two = Belay.connect(server.url())) {
            assertThat(connected.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> local = one.lock("x").acquireAsync();
            CompletableFuture<Lease> other = two.lock("x").acquireAsync();
            await().until(() -> one.admin().inspect("x").claims().size() == 2);
            setQuota(admin, 1 + admin.getAllChildrenNumber(ROOT));
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = other.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(local).isNotDone();
            admin.setData(Quotas.limitPath(ROOT), limit(-1), -1);
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(local.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
