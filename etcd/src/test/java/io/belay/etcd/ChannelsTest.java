package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of calls, and of the connections, while no member can be reached. */
class ChannelsTest {
    private static final String NO_LEADER = "etcdserver: no leader";
    private static final InetSocketAddress MEMBER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2379);
    private static final InetSocketAddress OTHER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2381);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 700_000_000); // it wraps
    private final FakeChannel channel = new FakeChannel();

    private Channels channels(Duration timeout) {
        return new Channels(() -> channel, timeout, now::get);
    }

    private static <Q, A> CompletableFuture<Status> call(
            Channels channels, ManagedChannel none, MethodDescriptor<Q, A> method) {
        ClientCall<Q, A> call = channels.interceptCall(method, CallOptions.DEFAULT, none);
        CompletableFuture<Status> ended = start(call);
        call.sendMessage(null);
        call.halfClose();
        return ended;
    }

    private static <Q, A> CompletableFuture<Status> start(ClientCall<Q, A> call) {
        CompletableFuture<Status> ended = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<A>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.complete(status);
                    }
                },
                new Metadata());
        return ended;
    }

    private CompletableFuture<Status> ask(Channels channels) {
        return call(channels, channel, KVGrpc.getRangeMethod());
    }

    @Test
    void membersOfWhichNoneCanBeReachedAreTriedAgainTwiceASecond() {
        try (Channels channels = channels(Duration.ofSeconds(1))) {
            ask(channels);
            assertThat(channel.resets).as("connected, or about to be").isZero();
            channel.state = ConnectivityState.TRANSIENT_FAILURE;
            for (int second = 0; second < 60; second++) {
                for (int i = 0; i < 100; i++) {
                    ask(channels);
                    now.addAndGet(10_000_000);
                }
            }
            assertThat(channel.resets).isEqualTo(120);
            channel.state = ConnectivityState.READY;
            ask(channels);
            assertThat(channel.resets).isEqualTo(120);
        }
    }

    /** gRPC's pauses grow, and would be of two minutes by then. */
    @Test
    void anOutageMakesNoPauseLonger() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket member = new ServerSocket(0, 50, MEMBER.getAddress())) {
            Thread thread = new Thread(() -> hangUp(member, attempts));
            thread.start();
            ManagedChannel real = NettyChannelBuilder.forAddress("127.0.0.1", member.getLocalPort())
                    .usePlaintext()
                    .defaultLoadBalancingPolicy("round_robin")
                    .build();
            try (Channels channels = new Channels(() -> real, Duration.ofSeconds(1), now::get)) {
                await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> {
                    call(channels, real, KVGrpc.getRangeMethod());
                    now.addAndGet(500_000_000);
                    return attempts.get() >= 14;
                });
            }
            member.close();
            thread.join();
        }
    }

    private static void hangUp(ServerSocket member, AtomicInteger attempts) {
        while (true) {
            try {
                member.accept().close();
                attempts.incrementAndGet();
            } catch (IOException e) {
                return; // it was closed
            }
        }
    }

    /** A stopped server takes connections: all that was asked of it for minutes would be sent when it goes on. */
    @Test
    void whatWaitsForAConnectionForLongIsNotSent() throws Exception {
        try (Channels channels = channels(Duration.ofMillis(10))) {
            CompletableFuture<Status> veryFirst = ask(channels);
            channel.peer = MEMBER;
            ask(channels);
            channel.peer = null;
            CompletableFuture<Status> watch = call(channels, channel, WatchGrpc.getWatchMethod());
            CompletableFuture<Status> waiting = ask(channels);
            assertThat(await().until(() -> waiting.getNow(Status.OK), status -> !status.isOk()))
                    .matches(status -> status.getCode() == Status.Code.UNAVAILABLE)
                    .satisfies(status -> assertThat(new EtcdFailures(EtcdUrl.parse("etcd://127.0.0.1:1"))
                                    .of(status.asRuntimeException()))
                            .hasMessageContaining("did not answer in time"));
            assertThat(veryFirst).as("a client that begins may take its time").isNotDone();
            assertThat(watch).as("a watch goes on once it is connected").isNotDone();
            CompletableFuture<Status> keepAlive = call(channels, channel, LeaseGrpc.getLeaseKeepAliveMethod());
            await().until(keepAlive::isDone);
        }
    }

    /** What has one question is not told when it gets its connection. */
    @Test
    void whatWasSentAfterAWaitIsFailedOnlyIfItsMemberIsSilent() {
        try (Channels channels = channels(Duration.ofMillis(10))) {
            channel.peer = MEMBER;
            ask(channels);
            channel.last.answer();
            channel.peer = null;
            CompletableFuture<Status> late = ask(channels);
            channel.last.peer = MEMBER;
            await().until(late::isDone);
            assertThat(late.join().getDescription()).contains("nothing comes from that member");
        }
    }

    /** Begins a watch at a member that is well, and has the silent one found out after that. */
    private CompletableFuture<Status> watchAtTheOther(Channels channels) {
        channel.peer = OTHER;
        channel.greets = true;
        CompletableFuture<Status> watch = call(channels, channel, WatchGrpc.getWatchMethod());
        channel.greets = false;
        channel.peer = MEMBER;
        await().until(ask(channels)::isDone);
        return watch;
    }

    /** A watch lasts for hours, and gRPC would take as long to find out as before. */
    @Test
    void whatStayedOnAChannelBeforeIsFailedTooWhereItsMemberIsSilent() {
        FakeChannel fresh = new FakeChannel();
        Queue<FakeChannel> made = new ConcurrentLinkedQueue<>(List.of(channel, fresh, new FakeChannel()));
        try (Channels channels = new Channels(made::remove, Duration.ofMillis(100), now::get)) {
            CompletableFuture<Status> watch = watchAtTheOther(channels);
            assertThat(watch).as("its member is well").isNotDone();
            fresh.peer = OTHER;
            await().until(ask(channels)::isDone);
            await().until(watch::isDone);
            assertThat(watch.join().getDescription()).contains("nothing comes from that member");
        }
    }

    /** The second one was asked last before the replacement, and is never connected to after it. */
    @Test
    void whatStayedOnAChannelBeforeIsFailedTooWhereItsMemberIsNotConnectedToAnew() {
        AtomicReference<Channels> tested = new AtomicReference<>();
        Supplier<ManagedChannel> maker = () -> {
            if (tested.get() == null) {
                return channel;
            }
            channel.peer = OTHER;
            ask(tested.get());
            return new FakeChannel();
        };
        try (Channels channels = new Channels(maker, Duration.ofMillis(100), now::get)) {
            tested.set(channels);
            CompletableFuture<Status> watch = watchAtTheOther(channels);
            await().until(watch::isDone);
            assertThat(watch.join().getDescription()).contains("nothing comes from that member");
        }
    }

    /** A member that knows no leader, or has yet to catch up, has done nothing, and another may serve. */
    @ParameterizedTest
    @ValueSource(strings = {NO_LEADER, "etcdserver: rpc not supported for learner"})
    void whatAMemberCannotServeIsSentToTheNext(String refusal) {
        try (Channels channels = channels(Duration.ofSeconds(1))) {
            channel.peer = MEMBER;
            CompletableFuture<Status> asked = ask(channels);
            channel.last.refuse(refusal);
            assertThat(channel.last.headers).as("what etcd looks for").isEqualTo("true");
            channel.last.refuse(refusal);
            assertThat(channel.calls).isEqualTo(3);
            assertThat(asked).isNotDone();
            channel.last.answer();
            assertThat(asked.join()).isEqualTo(Status.OK);
        }
    }

    /** While they elect, none knows a leader. */
    @Test
    void whatAllRefuseIsSentAgainAfterPausesForAsLongAsItIsWaitedFor() {
        try (Channels channels = channels(Duration.ofSeconds(1))) {
            channel.peer = MEMBER;
            CompletableFuture<Status> first = ask(channels);
            now.addAndGet(9_000_000_000L);
            for (int call = 1; call < 4; call++) {
                channel.last.refuse(NO_LEADER);
            }
            assertThat(first).as("a client that begins may take its time").isNotDone();
            await().until(() -> channel.calls == 4 && channel.last.isSent);
            channel.last.answer();
            channel.calls = 0;
            CompletableFuture<Status> asked = ask(channels);
            for (int call = 1; call < 6; call++) {
                channel.last.refuse(NO_LEADER);
                int next = call + 1;
                await().until(() -> channel.calls == next && channel.last.isSent);
            }
            assertThat(asked).isNotDone();
            now.addAndGet(1_000_000_000);
            channel.last.refuse(NO_LEADER);
            assertThat(asked.join().getDescription()).contains("no leader");
            assertThat(channel.calls).isEqualTo(6);
        }
    }

    /** With a majority gone all that is asked is in such a pause nearly all the time. */
    @Test
    void whatIsToBeSentAgainFailsWhereItIsClosedBefore() {
        await().until(
                        () -> { // again, if the machine stood still for the whole pause
                            FakeChannel fresh = new FakeChannel();
                            Channels channels = new Channels(() -> fresh, Duration.ofMinutes(1), now::get);
                            CompletableFuture<Status> late = ask(channels);
                            fresh.last.refuse(NO_LEADER);
                            fresh.last.refuse(NO_LEADER);
                            FakeCall<?, ?> lates = fresh.last;
                            CompletableFuture<Status> asked = ask(channels);
                            for (int call = 1; call < 4; call++) {
                                fresh.last.refuse(NO_LEADER);
                            }
                            assertThat(asked).isNotDone();
                            channels.close();
                            lates.refuse(NO_LEADER);
                            assertThat(late).as("refused behind that").isDone();
                            await().until(() -> asked.isDone() || fresh.calls > 6);
                            return fresh.calls == 6;
                        });
    }

    @Test
    void whatWasCancelledIsNotSentAgain() {
        try (Channels channels = channels(Duration.ofSeconds(1))) {
            ClientCall<RangeRequest, RangeResponse> call =
                    channels.interceptCall(KVGrpc.getRangeMethod(), CallOptions.DEFAULT, channel);
            CompletableFuture<Status> ended = start(call);
            call.cancel("by the test", null);
            assertThat(ended.join().getCode()).isEqualTo(Status.Code.CANCELLED);
            assertThat(channel.calls).isEqualTo(1);
        }
    }

    /** A channel whose calls wait for a connection, or have one, as a test says. */
    private static final class FakeChannel extends ManagedChannel {
        ConnectivityState state = ConnectivityState.READY;

        @Nullable
        InetSocketAddress peer;

        /** Whether something comes back of each call as soon as it is sent. */
        boolean greets;

        int resets;
        private volatile boolean isShutdown;
        volatile int calls;
        volatile FakeCall<?, ?> last = new FakeCall<>(null, false, false);

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            FakeCall<Q, A> call = new FakeCall<>(peer, greets, isShutdown);
            if (isShutdown) {
                return call;
            }
            last = call;
            calls++;
            return call;
        }

        @Override
        public ConnectivityState getState(boolean requestConnection) {
            return state;
        }

        @Override
        public void resetConnectBackoff() {
            resets++;
        }

        @Override
        public String authority() {
            return "";
        }

        @Override
        public ManagedChannel shutdown() {
            return this;
        }

        @Override
        public ManagedChannel shutdownNow() {
            isShutdown = true;
            return this;
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private static final class FakeCall<Q, A> extends ClientCall<Q, A> {
        volatile @Nullable InetSocketAddress peer;
        volatile @Nullable String headers;
        volatile boolean isSent;
        private final boolean greets;
        private final boolean isTooLate;
        private volatile @Nullable Listener<A> listener;

        FakeCall(@Nullable InetSocketAddress peer, boolean greets, boolean isTooLate) {
            this.peer = peer;
            this.greets = greets;
            this.isTooLate = isTooLate;
        }

        void refuse(String description) {
            listener.onClose(Status.UNAVAILABLE.withDescription(description), new Metadata());
        }

        void answer() {
            listener.onClose(Status.OK, new Metadata());
        }

        @Override
        public void start(Listener<A> of, Metadata headers) {
            listener = of;
            this.headers = headers.get(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER));
            if (isTooLate) {
                of.onClose(Status.UNAVAILABLE.withDescription("Channel shutdownNow invoked"), new Metadata());
            } else if (greets) {
                of.onHeaders(new Metadata());
            }
        }

        @Override
        public Attributes getAttributes() {
            InetSocketAddress known = peer;
            return known == null
                    ? Attributes.EMPTY
                    : Attributes.newBuilder()
                            .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, known)
                            .build();
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            listener.onClose(Status.CANCELLED, new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void halfClose() {
            isSent = true;
        }

        @Override
        public void sendMessage(Q message) {}
    }
}
