package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Lease;
import io.etcd.jetcd.api.LeaseGrantResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a lease is kept alive, and when it is not any more. */
class ClientLeaseTest {
    private final List<String> asked = new ArrayList<>();

    /** A lease whose time is over when it is granted, or far away. */
    private ClientLease lease(long ttl) {
        Lease service = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return CompletableFuture.completedFuture(
                            new io.etcd.jetcd.lease.LeaseGrantResponse(LeaseGrantResponse.newBuilder()
                                    .setID(asked.size())
                                    .setTTL(ttl)
                                    .build()));
                });
        return new ClientLease(service, 30, Duration.ofSeconds(1));
    }

    /** Alive again, it would keep the keys of claims that were given up during an outage. */
    @Test
    void whatHasEndedByTheClientsClockIsNotKeptAlive() {
        ClientLease lease = lease(0);
        lease.usable().join();
        long first = lease.id();
        assertThat(lease.isOver(first)).isTrue();
        lease.alive().join();
        assertThat(asked).containsExactly("grant");
        lease.usable().join();
        assertThat(asked).containsExactly("grant", "grant");
        assertThat(lease.id()).isNotEqualTo(first);
    }

    @Test
    void anotherNumberIsOfALeaseThatIsOver() {
        ClientLease lease = lease(1000);
        lease.usable().join();
        assertThat(lease.isOver(lease.id())).isFalse();
        assertThat(lease.isOver(lease.id() + 1)).isTrue();
    }
}
