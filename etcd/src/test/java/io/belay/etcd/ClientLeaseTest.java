package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Lease;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a lease is kept alive, and when it is not any more. */
class ClientLeaseTest {
    private final List<String> asked = new ArrayList<>();
    /** What a lease has left when it is kept alive, in seconds. */
    private long left = 1000;

    /** What is thrown when a lease is kept alive. */
    private @Nullable Error thrown;

    /** A lease whose time is over when it is granted, or far away. */
    private ClientLease lease(long ttl) {
        Lease service = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    if (thrown != null && method.getName().equals("keepAliveOnce")) {
                        throw thrown;
                    }
                    return CompletableFuture.completedFuture(
                            method.getName().equals("grant")
                                    ? new io.etcd.jetcd.lease.LeaseGrantResponse(LeaseGrantResponse.newBuilder()
                                            .setID(7)
                                            .setTTL(ttl)
                                            .build())
                                    : new io.etcd.jetcd.lease.LeaseKeepAliveResponse(LeaseKeepAliveResponse.newBuilder()
                                            .setID(7)
                                            .setTTL(left)
                                            .build()));
                });
        return ClientLease.grant(service, 30, Duration.ofSeconds(1));
    }

    /** As after an outage: etcd gives its leases their whole time then, and waiters keep their places. */
    @Test
    void whatHasEndedByTheClientsClockOnlyIsKeptAlive() {
        ClientLease lease = lease(0);
        assertThat(lease.usable().join().isOver()).isFalse();
        assertThat(asked).containsExactly("grant", "keepAliveOnce");
        assertThat(lease.until().byNow() - System.nanoTime()).isPositive();
        lease.alive().join();
        assertThat(asked).as("just asked").hasSize(2);
    }

    @Test
    void whatEtcdKnowsNoMoreIsOver() {
        ClientLease lease = lease(0);
        left = 0;
        assertThat(lease.usable().join().isOver()).isTrue();
        lease.alive().join();
        assertThat(asked).containsExactly("grant", "keepAliveOnce");
    }

    /** Whoever wants it alive shares the request that is under way: that would be so for ever. */
    @Test
    void aRequestThatThrowsIsMadeAgain() {
        ClientLease lease = lease(0);
        thrown = new Error("of this test");
        assertThat(lease.alive()).isCompletedExceptionally();
        thrown = null;
        assertThat(lease.alive()).isCompletedWithValue(lease);
        assertThat(lease.isOver()).isFalse();
    }

    @Test
    void aLeaseWithTimeIsUsedWithoutAsking() {
        ClientLease lease = lease(1000);
        lease.usable().join();
        lease.usable().join();
        assertThat(asked).containsExactly("grant");
        assertThat(lease.id()).isEqualTo(7);
    }
}
