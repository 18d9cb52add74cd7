package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.support.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** What becomes of a request whose answer the client library cannot tell. */
class UnknownCodeTest {
    private static final int UNKNOWN = -4711;

    /** A client whose server is a later one. */
    private static final class Later extends ZooKeeper {
        Later() throws Exception {
            super("127.0.0.1:1", 4_000, event -> {});
        }

        /** Answers by another thread, which would log what is thrown. */
        @Override
        public void exists(String path, boolean watch, StatCallback callback, Object context) {
            CompletableFuture.runAsync(() -> callback.processResult(UNKNOWN, path, context, null));
        }
    }

    /** All who come for that lock later would wait behind it. */
    @Test
    void anAnswerWithACodeOfALaterServersFails() throws Exception {
        ZooKeeper client = new Later();
        try {
            assertThat(new Session(client, Moment.now()).exists("/x"))
                    .failsWithin(Pace.patience())
                    .withThrowableOfType(ExecutionException.class)
                    .satisfies(error -> {
                        assertThat(Failures.is(error.getCause(), Code.SYSTEMERROR))
                                .isTrue();
                        assertThat(error.getCause().getCause()).hasMessageContaining(String.valueOf(UNKNOWN));
                    });
        } finally {
            client.close(1);
        }
    }
}
