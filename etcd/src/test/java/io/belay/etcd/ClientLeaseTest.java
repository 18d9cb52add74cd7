package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Lease;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Status;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a lease is kept alive, and when it is not any more. */
class ClientLeaseTest {
    private final List<String> asked = new ArrayList<>();
    /** What a lease has left when it is kept alive, in seconds. */
    private long left = 1000;

    /** What is thrown when a lease is kept alive. */
    private @Nullable Error thrown;

    /** What members refuse by that are asked to keep a lease alive. */
    private final Deque<Status> refusals = new ArrayDeque<>();

    /** A lease whose time is over when it is granted, or far away. */
    private ClientLease lease(long ttl) {
        Lease service = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    if (thrown != null && method.getName().equals("keepAliveOnce")) {
                        throw thrown;
                    } else if (!refusals.isEmpty() && method.getName().equals("keepAliveOnce")) {
                        return CompletableFuture.failedFuture(refusals.remove().asRuntimeException());
                    }
                    if (method.getName().equals("timeToLive")) {
                        return CompletableFuture.failedFuture(Status.UNAVAILABLE.asRuntimeException()); // all the same
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

    /** Of two members in turn it would be the same one each time, while other requests come between. */
    @Test
    void whatAMemberRefusesThatHasNoLeaderIsAskedOfTheNextAtOnce() {
        ClientLease lease = lease(0);
        refusals.add(Status.UNAVAILABLE.withDescription("etcdserver: no leader"));
        refusals.add(Status.FAILED_PRECONDITION.withDescription("etcdserver: rpc not supported for learner"));
        assertThat(lease.alive()).isCompletedWithValue(lease);
        assertThat(asked).containsExactly("grant", "keepAliveOnce", "keepAliveOnce", "keepAliveOnce");
        assertThat(lease.until().byNow() - System.nanoTime()).isPositive();
    }

    @Test
    void whatAllRefuseFails() {
        ClientLease lease = lease(0);
        for (int i = 0; i < 9; i++) {
            refusals.add(Status.UNAVAILABLE.withDescription("etcdserver: no leader"));
        }
        assertThat(lease.alive()).isCompletedExceptionally();
        assertThat(refusals).hasSize(6);
        refusals.clear();
        refusals.add(Status.UNAVAILABLE.withDescription("Network closed for unknown reason"));
        assertThat(lease.alive()).as("it may have been done").isCompletedExceptionally();
    }

    private static List<Status> loginIsOver() {
        return List.of(
                Status.UNAUTHENTICATED.withDescription("etcdserver: invalid auth token"),
                Status.UNKNOWN.withDescription("etcdserver: invalid auth token"),
                Status.INVALID_ARGUMENT.withDescription("etcdserver: revision of auth store is old"));
    }

    /** jetcd logs in anew for a call with one answer alone, so an idle client would show its old login for ever. */
    @ParameterizedTest
    @MethodSource("loginIsOver")
    void aCallThatLogsInAnewIsMadeWhereTheLoginIsOver(Status refusal) {
        ClientLease lease = lease(0);
        refusals.add(refusal);
        assertThat(lease.usable()).isCompletedWithValue(lease);
        assertThat(asked).containsExactly("grant", "keepAliveOnce", "timeToLive", "keepAliveOnce");
        assertThat(lease.until().byNow() - System.nanoTime()).isPositive();
    }

    /** That call goes to the other one, which knows the login, and the next to this one. */
    @ParameterizedTest
    @MethodSource("loginIsOver")
    void ofTwoMembersTheOneThatKnowsTheLoginIsAsked(Status refusal) {
        ClientLease lease = lease(0);
        refusals.addAll(List.of(refusal, refusal));
        assertThat(lease.alive()).isCompletedWithValue(lease);
        assertThat(asked).containsExactly("grant", "keepAliveOnce", "timeToLive", "keepAliveOnce", "keepAliveOnce");
    }

    @ParameterizedTest
    @MethodSource("loginIsOver")
    void aLeaseIsNotOverWhereTheLoginIs(Status refusal) {
        ClientLease lease = lease(0);
        refusals.addAll(List.of(refusal, refusal, refusal));
        assertThat(lease.alive()).isCompletedExceptionally();
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
