package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.support.DaemonThread;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The client that was connected here, of which the application's bean may be a view. It is closed when it is destroyed, behind all that
 * depends on it.
 */
final class ConnectedClient implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.SPRING);

    /** The time from one look at who holds to the next, in nanoseconds. */
    private static final long LOOK_AGAIN = 5_000_000;

    private final Belay client;
    /** The time for which the close waits for holders: none, unless the application has come as far as its shutdown. */
    private volatile Duration left = Duration.ZERO;

    private final CountDownLatch destroyed = new CountDownLatch(1);

    ConnectedClient(Belay client) {
        this.client = client;
    }

    Belay client() {
        return client;
    }

    /** Returns the view of a namespace, or the client itself for none. */
    Belay view(@Nullable String namespace) {
        return namespace == null ? client : client.namespace(namespace);
    }

    /** Returns the client itself, which knows all names in full, and not its view; the bean where the application has made that. */
    static Belay behind(Belay bean, ObjectProvider<ConnectedClient> connected) {
        ConnectedClient here = connected.getIfAvailable();
        return here == null ? bean : here.client;
    }

    /**
     * Waits until those who hold by now have released, or the time is over. Locks are given meanwhile, and until the close, for which
     * the rest of the time is left. If that does not come, the client is closed once the time has passed again. An interrupt ends
     * the wait, and is kept.
     */
    void letHoldersFinish(Duration longest) {
        long begin = System.nanoTime();
        Duration past = Duration.ZERO;
        boolean told = false;
        while (past.compareTo(longest) < 0
                && isHeldLongerThan(past)
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_AGAIN);
            past = Duration.ofNanos(System.nanoTime() - begin);
            if (!told && past.toSeconds() > 0) { // one that waits for the end of the application waits for itself
                told = true;
                tellHolders("stops", longest);
            }
        }
        left = past.compareTo(longest) < 0 ? longest.minus(past) : Duration.ZERO;
        DaemonThread.start("belay-shutdown", () -> closeUnlessDestroyed(longest));
    }

    /** Pauses the client, and tells after a second whom that waits for. */
    void pause(Duration longest) {
        CountDownLatch paused = new CountDownLatch(1);
        DaemonThread.start("belay-pause", () -> {
            try {
                if (!paused.await(1, TimeUnit.SECONDS)) {
                    tellHolders("pauses", longest);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // and nobody else knows this thread
            }
        });
        try {
            client.pause(longest);
        } finally {
            paused.countDown();
        }
    }

    private void tellHolders(String does, Duration longest) {
        String held = held();
        if (!held.isEmpty()) { // else it is the store that is late
            LOG.info(
                    "The application {}, and waits for {} s at most for who holds {}", does, longest.toSeconds(), held);
        }
    }

    /** Closes the client after that time: who destroys what is before it may wait for good for one that waits for a lock. */
    private void closeUnlessDestroyed(Duration time) {
        try {
            if (!destroyed.await(TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS)) {
                client.close(time);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // and nobody else knows this thread
        }
    }

    private String held() {
        return client.admin().holds().stream()
                .map(hold -> "'" + hold.name() + "' (" + hold.thread() + ")")
                .limit(10)
                .collect(Collectors.joining(", "));
    }

    private boolean isHeldLongerThan(Duration time) {
        return client.admin().holds().stream().anyMatch(hold -> hold.held().compareTo(time) > 0);
    }

    @Override
    public void close() {
        destroyed.countDown();
        client.close(left);
    }
}
