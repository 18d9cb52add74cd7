package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** What becomes of a request whose answer the client library cannot tell, or which cannot be read. */
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

    /** A client of a JVM that fails, as for want of memory. */
    private static final class Broken extends ZooKeeper {
        boolean isBroken;

        Broken() throws Exception {
            super("127.0.0.1:1", 4_000, event -> {});
        }

        @Override
        public int getSessionTimeout() {
            if (isBroken) {
                throw new InternalError("as the test wants it");
            }
            return 4_000;
        }

        /** Answers by another thread, which would log what is thrown. */
        @Override
        public void delete(String path, int version, VoidCallback callback, Object context) {
            CompletableFuture.runAsync(() -> callback.processResult(0, path, context));
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

    @Test
    void anAnswerWhoseReadingEndsInAnErrorFails() throws Exception {
        Broken client = new Broken();
        try {
            Session session = new Session(client, Moment.now());
            client.isBroken = true;
            assertThat(session.delete("/x"))
                    .failsWithin(Pace.patience())
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(InternalError.class);
        } finally {
            client.close(1);
        }
    }

    /** Those that come for the claim later would wait for it. */
    @Test
    void anEnterThatEndsInAnErrorIsUnderWayNoMore() throws Exception {
        Broken client = new Broken();
        try {
            Settings settings = new ZooKeeperUrl("zookeeper://127.0.0.1:1").parse();
            Connection connection = unconnected(settings, new Session(client, Moment.now()));
            ZooKeeperNodes nodes = new ZooKeeperNodes(settings, connection, 1);
            client.isBroken = true;
            for (int i = 0; i < 2; i++) {
                assertThat(nodes.enter("x", ClaimId.of(1, 1), Resource.WHOLE, EnterAgainTest.DETAILS))
                        .failsWithin(Pace.patience())
                        .withThrowableOfType(ExecutionException.class)
                        .havingCause()
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                failure -> assertThat(failure.isTemporary())
                                        .as("waiters go on")
                                        .isTrue());
            }
            assertThat(nodes.size()).isZero();
        } finally {
            client.close(1);
        }
    }

    private static Connection unconnected(Settings settings, Session session) throws Exception {
        Constructor<Connection> constructor = Connection.class.getDeclaredConstructor(Settings.class, Runnable.class);
        constructor.setAccessible(true);
        Connection connection = constructor.newInstance(settings, (Runnable) () -> {});
        Field present = Connection.class.getDeclaredField("session");
        present.setAccessible(true);
        present.set(connection, session);
        return connection;
    }
}
