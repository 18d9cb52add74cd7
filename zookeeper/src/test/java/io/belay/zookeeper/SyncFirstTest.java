package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Looks for a node that was asked for before, at a server that may be behind. */
class SyncFirstTest {
    private static final ClaimId ID = ClaimId.of(1, 1);

    /** A client that notes what it is asked, and whose server has no nodes. */
    private static final class Noting extends ZooKeeper {
        private final List<String> asked = new ArrayList<>();

        Noting() throws Exception {
            super("127.0.0.1:1", 4_000, event -> {});
        }

        @Override
        public void sync(String path, VoidCallback callback, Object context) {
            asked.add("sync " + path);
        }

        @Override
        public void getChildren(String path, Watcher watcher, Children2Callback callback, Object context) {
            asked.add("look at " + path);
            callback.processResult(Code.NONODE.intValue(), path, context, null, null);
        }
    }

    /** Else a second node would be made beside the first, or the first one left. */
    @Test
    void itCatchesUpWithTheLeaderFirst() throws Exception {
        Noting client = new Noting();
        try {
            Session session = new Session(client, Moment.now());
            assertThat(Reading.find(session, "/x", ID).toCompletableFuture()).isCompletedWithValue(Optional.empty());
            assertThat(ZooKeeperNodes.search(session, "/y", ID).toCompletableFuture())
                    .isCompletedWithValue(false);
            assertThat(client.asked).containsExactly("sync /x", "look at /x", "sync /y", "look at /y");
        } finally {
            client.close(1);
        }
    }
}
