package io.belay.zookeeper;

import io.belay.support.DaemonThread;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Begins anew when a login by SASL fails that has worked before: ZooKeeper's client has ended then, or goes on without a login, and
 * Curator does nothing about it. It is told, after a pause, that the session has expired, and makes another.
 */
final class Logins {
    private static final Log LOG = Log.of(LogName.STORE);

    private static final int FIRST_PAUSE = 1;
    private static final int LONGEST_PAUSE = 16;

    private final Settings settings;
    private final BooleanSupplier closed;
    private volatile boolean worked;

    /** The pause before the next attempt, in seconds. */
    private final AtomicInteger pause = new AtomicInteger(FIRST_PAUSE);

    Logins(Settings settings, BooleanSupplier closed) {
        this.settings = settings;
        this.closed = closed;
    }

    /** Returns whether a login was accepted, so that one which is not may be accepted again. */
    boolean haveWorked() {
        return worked;
    }

    /** Returns what a client of ZooKeeper's is to tell of its connection. */
    Watcher watching(Watcher curator) {
        return new LoginWatcher(curator);
    }

    /** For one client of ZooKeeper's, which calls it from one thread. */
    private final class LoginWatcher implements Watcher {
        private final Watcher curator;
        private boolean ending;

        LoginWatcher(Watcher curator) {
            this.curator = curator;
        }

        @Override
        public void process(WatchedEvent event) {
            KeeperState state = event.getState();
            // Without a state if the login could not even begin, which Curator cannot read.
            if (state != null) {
                curator.process(event);
            }
            if (state == KeeperState.SaslAuthenticated) {
                worked = true;
                pause.set(FIRST_PAUSE);
            } else if ((state == null || state == KeeperState.AuthFailed) && worked && !ending) {
                ending = true;
                int seconds = pause.getAndUpdate(before -> Math.min(LONGEST_PAUSE, before * 2));
                if (seconds == FIRST_PAUSE) {
                    LOG.warn("{}", settings.line("did not accept this client's login by SASL; it is tried again"));
                }
                CompletableFuture.delayedExecutor(
                                seconds, TimeUnit.SECONDS, end -> DaemonThread.start("belay-zookeeper-login", end))
                        .execute(this::end);
            }
        }

        private void end() {
            if (!closed.getAsBoolean()) {
                curator.process(new WatchedEvent(EventType.None, KeeperState.Expired, null));
            }
        }
    }
}
