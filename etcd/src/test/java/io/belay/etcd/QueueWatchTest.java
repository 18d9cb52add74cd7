package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchResponse;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is known of a line that is followed, whatever the order in which it is told. */
class QueueWatchTest {
    private static final ByteSequence CLAIMS = bytes("belay/claims/x/");

    private final List<Opened> opened = new CopyOnWriteArrayList<>();
    private final QueueWatches lines =
            new QueueWatches(new FakeWatch(), kv -> Optional.empty(), claims -> new CompletableFuture<>());
    private final List<Optional<Node>> told = new CopyOnWriteArrayList<>();
    private final Node first = node(1, 10);
    private final Node second = node(2, 11);
    private final Node third = node(3, 12);

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static Node node(int client, long revision) {
        return new Node(
                CLAIMS.toString(StandardCharsets.UTF_8) + client,
                ClaimId.of(client, 1),
                1,
                revision,
                Node.sequence(revision),
                revision,
                Details.ofWeight(1));
    }

    /** A watch that the test speaks for. */
    private record Opened(WatchOption option, Watch.Listener listener, CompletableFuture<Boolean> closed, long at) {
        void created(long revision) {
            listener.onNext(response(WatchResponse.newBuilder()
                    .setHeader(ResponseHeader.newBuilder().setRevision(revision))
                    .setCreated(true)));
        }

        void changed(long revision, Node node) {
            listener.onNext(response(WatchResponse.newBuilder()
                    .addEvents(Event.newBuilder()
                            .setType(Event.EventType.PUT)
                            .setKv(KeyValue.newBuilder()
                                    .setKey(ByteString.copyFromUtf8(node.key()))
                                    .setModRevision(revision)))));
        }

        void gone(long revision, Node... nodes) {
            WatchResponse.Builder response = WatchResponse.newBuilder();
            for (Node node : nodes) {
                response.addEvents(Event.newBuilder()
                        .setType(Event.EventType.DELETE)
                        .setKv(KeyValue.newBuilder()
                                .setKey(ByteString.copyFromUtf8(node.key()))
                                .setModRevision(revision)));
            }
            listener.onNext(response(response));
        }

        void refuse() {
            listener.onError(EtcdExceptionFactory.toEtcdException(
                    Status.UNAVAILABLE.withDescription("etcdserver: no leader").asException()));
        }

        private static io.etcd.jetcd.watch.WatchResponse response(WatchResponse.Builder response) {
            return new io.etcd.jetcd.watch.WatchResponse(response.build(), ByteSequence.EMPTY);
        }
    }

    private final class FakeWatch implements Watch {
        @Override
        public Watcher watch(ByteSequence key, WatchOption option, Listener listener) {
            Opened next = new Opened(option, listener, new CompletableFuture<>(), System.nanoTime());
            opened.add(next);
            return new Watcher() {
                @Override
                public void close() {
                    next.closed().complete(true);
                }

                @Override
                public boolean isClosed() {
                    return next.closed().isDone();
                }

                @Override
                public void requestProgress() {}
            };
        }

        @Override
        public void close() {}

        @Override
        public void requestProgress() {}
    }

    /** A watch of one key that sees nothing. */
    private static final class Looks extends KeyWatch {
        final AtomicInteger looks = new AtomicInteger();

        Looks() {
            super(CLAIMS, KeyWatch.ONE);
        }

        @Override
        CompletionStage<@Nullable Runnable> look() {
            looks.incrementAndGet();
            return CompletableFuture.completedStage(null);
        }

        @Override
        @Nullable
        Runnable seen(WatchEvent event) {
            return null;
        }
    }

    private Nodes.Watch await(Node node) {
        return lines.await(node, told::add);
    }

    private Optional<List<Optional<Node>>> known() {
        return lines.known(List.of(first, second));
    }

    /** The third waits behind the second, and somebody behind the third, whom the watch lasts for; all is known. */
    private void follow() {
        await(second);
        lines.await(third, gone -> {});
        opened.get(0).created(20);
        lines.listed(CLAIMS, 20, List.of(first, second, third));
    }

    @Test
    void nothingIsKnownBeforeTheLineWasReadUnderTheWatch() {
        assertThat(known()).isEmpty();
        await(second);
        lines.listed(CLAIMS, 19, List.of(first, second, third));
        assertThat(known()).isEmpty();
        opened.get(0).created(20);
        assertThat(known()).isEmpty();
        lines.listed(CLAIMS, 20, List.of(first, second, third));
        assertThat(known()).contains(List.of(Optional.of(first), Optional.of(second)));
    }

    /** A member that is cut off from the others would be silent, and says that it has no leader where that is asked for. */
    @Test
    void whatIsFollowedIsFollowedAtMembersThatKnowALeader() {
        await(second);
        assertThat(opened.get(0).option().withRequireLeader()).isTrue();
        assertThat(List.of(KeyWatch.ONE, KeyWatch.arrivals(1))).allMatch(WatchOption::withRequireLeader);
    }

    /** What has changed is not all that is there: to take it for that let a waiter in beside the holder. */
    @Test
    void whatIsToldBeforeTheLineWasReadCountsAfterThat() {
        await(second);
        opened.get(0).created(20);
        opened.get(0).changed(21, third);
        opened.get(0).gone(23, first);
        assertThat(known()).isEmpty();
        assertThat(told).isEmpty();
        lines.listed(CLAIMS, 22, List.of(first, second, third));
        assertThat(known()).contains(List.of(Optional.empty(), Optional.of(second)));
        assertThat(told).isEmpty();
    }

    /** Another member may be behind. */
    @Test
    void aLineThatIsOlderThanANodeSaysNothingOfIt() {
        await(second);
        opened.get(0).created(10);
        lines.listed(CLAIMS, 10, List.of(first));
        assertThat(lines.known(List.of(first))).contains(List.of(Optional.of(first)));
        assertThat(known()).isEmpty();
        assertThat(told).isEmpty();
        lines.listed(CLAIMS, 12, List.of(first, second, third));
        assertThat(known()).contains(List.of(Optional.of(first), Optional.of(second)));
        opened.get(0).gone(13, second);
        assertThat(told).containsExactly(Optional.empty());
    }

    @Test
    void whoHasGoneIsKnownBeforeTheWaiterIsTold() {
        follow();
        opened.get(0).gone(21, first);
        assertThat(told).isEmpty();
        assertThat(known()).contains(List.of(Optional.empty(), Optional.of(second)));
        opened.get(0).gone(22, second);
        assertThat(told).containsExactly(Optional.empty());
        assertThat(known()).contains(List.of(Optional.empty(), Optional.empty()));
    }

    @Test
    void allOfOneRevisionIsSeen() {
        follow();
        opened.get(0).gone(21, first, second);
        assertThat(known()).contains(List.of(Optional.empty(), Optional.empty()));
    }

    @Test
    void whatIsOlderThanTheLineIsPassedOver() {
        follow();
        lines.listed(CLAIMS, 30, List.of(third));
        assertThat(told).containsExactly(Optional.empty());
        lines.listed(CLAIMS, 25, List.of(first, second, third)); // was overtaken
        assertThat(known()).contains(List.of(Optional.empty(), Optional.empty()));
        // The key was used again in between, by a claim that is there.
        Node later = new Node(second.key(), second.id(), 1, 28, Node.sequence(28), 28, second.details());
        lines.listed(CLAIMS, 31, List.of(third, later));
        opened.get(0).gone(26, second);
        assertThat(lines.known(List.of(second, later))).contains(List.of(Optional.empty(), Optional.of(later)));
    }

    @Test
    void whoComesTooLateIsToldAllTheSame() {
        follow();
        opened.get(0).gone(21, second);
        told.clear();
        await(second);
        Awaitility.await().until(() -> told.size() == 1);
        assertThat(told).containsExactly(Optional.empty());
    }

    /** A server that has lost its data counts from the start: a line of before would let claims in. */
    @Test
    void aLineOfBeforeRevisionsFellIsNotBelieved() {
        follow();
        opened.get(0).listener().onError(new IllegalStateException("broken by the test"));
        assertThat(known()).isEmpty();
        Awaitility.await().until(() -> opened.size() == 2);
        opened.get(0).created(30); // too late
        opened.get(1).created(5);
        assertThat(known()).isEmpty();
        Node other = node(2, 4);
        lines.listed(CLAIMS, 5, List.of(other));
        assertThat(lines.known(List.of(other))).contains(List.of(Optional.of(other)));
        assertThat(known()).isEmpty();
    }

    @Test
    void aWatchThatBreaksIsBegunAnew() {
        follow();
        opened.get(0).listener().onCompleted();
        assertThat(known()).isEmpty();
        Awaitility.await().until(() -> opened.size() == 2);
        assertThat(opened.get(0).closed()).isDone();
        opened.get(1).created(40);
        lines.listed(CLAIMS, 40, List.of(second));
        assertThat(known()).contains(List.of(Optional.empty(), Optional.of(second)));
        assertThat(told).isEmpty();
    }

    /** jetcd begins it anew after the same pause: what is closed only then may go on, and be told events, for ever. */
    @Test
    void aWatchThatBreaksIsClosedWellBeforeTheNextBegins() {
        await(second);
        new Looks().begin(new FakeWatch());
        long pause = TimeUnit.MILLISECONDS.toNanos(QueueWatch.AGAIN_MILLIS);
        long late = Long.MAX_VALUE;
        for (int broken = 0; late > pause / 2; broken += 2) { // again, if the machine stood still for so long
            assertThat(broken).isLessThan(20);
            List<Opened> present = List.copyOf(opened).subList(broken, broken + 2);
            List<CompletableFuture<Long>> closed = present.stream()
                    .map(watch -> watch.closed().thenApply(now -> System.nanoTime()))
                    .toList();
            long before = System.nanoTime();
            present.forEach(watch -> watch.listener().onError(new IllegalStateException("by the test")));
            int next = broken + 4;
            Awaitility.await().until(() -> opened.size() == next);
            long last = closed.stream().mapToLong(CompletableFuture::join).max().orElseThrow();
            late = last - before;
            assertThat(late > pause / 2 || opened.get(broken + 2).at() - last > pause / 5)
                    .as("closed %d ms after it broke", TimeUnit.NANOSECONDS.toMillis(late))
                    .isTrue();
        }
    }

    /** Of two members in turn a question in between has the watch come back to the one that refused it, again and again. */
    @Test
    void aWatchThatAMemberRefusesGoesToTheNext() {
        Looks one = new Looks();
        one.begin(new FakeWatch());
        for (int turn = 0; turn < 3; turn++) {
            for (int refused = 1; refused <= LeaderCall.AT_ONCE; refused++) {
                int next = opened.size() + 1;
                opened.get(next - 2).refuse();
                Awaitility.await().until(() -> opened.size() == next);
                assertThat(one.looks).hasValue(turn);
            }
            opened.get(opened.size() - 1).created(1);
            assertThat(one.looks).hasValue(turn + 1);
        }
        one.cancel();
    }

    @Test
    void aWatchOverALineThatAMemberRefusesGoesToTheNextAtOnce() {
        await(second);
        Awaitility.await()
                .until(
                        () -> { // again, if the machine stood still for so long
                            Opened last = opened.get(opened.size() - 1);
                            last.created(1);
                            int next = opened.size() + 1;
                            long before = System.nanoTime();
                            last.refuse();
                            Awaitility.await().until(() -> opened.size() == next);
                            assertThat(last.closed()).succeedsWithin(Pace.patience());
                            return opened.get(next - 1).at() - before
                                    < TimeUnit.MILLISECONDS.toNanos(QueueWatch.AGAIN_MILLIS);
                        });
    }

    /** As while they elect: where none serves there is a pause. */
    @Test
    void aWatchThatAllMembersRefuseIsBegunAnewAfterAPause() {
        Looks one = new Looks();
        one.begin(new FakeWatch());
        for (int refused = 1; refused <= LeaderCall.AT_ONCE + 1; refused++) {
            int next = opened.size() + 1;
            opened.get(next - 2).refuse();
            Awaitility.await().until(() -> opened.size() == next);
        }
        long pause = opened.get(opened.size() - 1).at()
                - opened.get(opened.size() - 2).at();
        assertThat(pause).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(QueueWatch.AGAIN_MILLIS));
        assertThat(one.looks).as("for what has happened meanwhile").hasValue(1);
        one.cancel();
    }

    @Test
    void itEndsWhenNobodyHasWaitedForAWhile() {
        List<Nodes.Watch> waits = new ArrayList<>();
        waits.add(await(first));
        waits.add(await(second));
        assertThat(opened).hasSize(1);
        waits.forEach(Nodes.Watch::cancel);
        Awaitility.await().until(() -> opened.get(0).closed().isDone());
        await(second);
        assertThat(opened).hasSize(2);
    }
}
