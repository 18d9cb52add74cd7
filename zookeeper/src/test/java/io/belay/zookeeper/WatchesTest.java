package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.node.DetailsText;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.support.Moment;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a wait whose look is refused: the server has no watch for it then. */
class WatchesTest {
    private static final Node NODE =
            new Node("/belay/x/n", ClaimId.of(1, 1), Resource.WHOLE, 0, 0, 1, EnterAgainTest.DETAILS);

    private Refusing client;
    private Watches watches;

    /** A client that is told one code after another, and then that the node was written, or that others have come and gone. */
    private static final class Refusing extends ZooKeeper {
        final Queue<Code> codes = new ConcurrentLinkedQueue<>();
        final AtomicInteger asked = new AtomicInteger();
        Executor answers = Runnable::run;
        Watcher given;

        Refusing() throws Exception {
            super("127.0.0.1:1", 4_000, event -> {});
        }

        private Code next() {
            asked.incrementAndGet();
            return Optional.ofNullable(codes.poll()).orElse(Code.OK);
        }

        @Override
        public void getData(String path, Watcher watcher, DataCallback callback, Object context) {
            given = watcher;
            Stat stat = new Stat();
            stat.setVersion(2);
            byte[] data = DetailsText.encode(EnterAgainTest.DETAILS);
            answers.execute(() -> callback.processResult(next().intValue(), path, context, data, stat));
        }

        @Override
        public void getChildren(String path, Watcher watcher, Children2Callback callback, Object context) {
            Stat stat = new Stat();
            stat.setCversion(4);
            answers.execute(() -> callback.processResult(next().intValue(), path, context, List.of(), stat));
        }

        @Override
        public void removeAllWatches(
                String path, Watcher.WatcherType type, boolean local, VoidCallback callback, Object context) {}
    }

    @BeforeEach
    void start() throws Exception {
        client = new Refusing();
        watches = new Session(client, Moment.now()).watches();
    }

    @AfterEach
    void end() throws Exception {
        client.close(1);
    }

    @Test
    void aNodeIsLookedAtAgainUntilTheServerHasTheWatch() {
        client.codes.addAll(List.of(Code.THROTTLEDOP, Code.SYSTEMERROR));
        List<Optional<Node>> told = new CopyOnWriteArrayList<>();
        watches.node(NODE, told::add);
        await().untilAsserted(() ->
                assertThat(told).singleElement().isEqualTo(Optional.of(NODE.with(2, EnterAgainTest.DETAILS))));
        assertThat(client.asked).hasValue(3);
    }

    @Test
    void arrivalsAreLookedForAgainUntilTheServerHasTheWatch() {
        client.codes.add(Code.THROTTLEDOP);
        AtomicInteger told = new AtomicInteger();
        watches.arrivals("/belay/x", 0, 0, told::incrementAndGet);
        await().untilAsserted(() -> assertThat(told).hasValue(1));
    }

    /** Who watches may hold a lock, and changes what it keeps of its watches. */
    @Test
    void whatIsAnsweredAtOnceIsNotToldByWhoWatches() {
        client.answers = task -> CompletableFuture.runAsync(task, work -> new Thread(work, "events").start())
                .join();
        List<String> told = new CopyOnWriteArrayList<>();
        watches.node(NODE, now -> told.add(Thread.currentThread().getName()));
        watches.arrivals("/belay/x", 0, 0, () -> told.add(Thread.currentThread().getName()));
        assertThat(told).containsExactly("events", "events");
    }

    /** No watch stays on the server that nobody waits for. */
    @Test
    void whatIsToldMeanwhileIsNotLookedAtAgain() {
        client.codes.add(Code.CONNECTIONLOSS);
        List<Optional<Node>> told = new CopyOnWriteArrayList<>();
        watches.node(NODE, told::add);
        client.given.process(new WatchedEvent(EventType.NodeDeleted, KeeperState.SyncConnected, NODE.key()));
        assertThat(told).singleElement().isEqualTo(Optional.empty());
        watches.again();
        assertThat(client.asked).hasValue(1);
    }
}
