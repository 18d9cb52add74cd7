package io.belay.internal.claim;

import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.StoreHealth;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.spi.Capabilities;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The connection of a client to its store: at once or later, and another one after each pause. Thread-safe. */
final class StoreConnection {
    private final LongSupplier numbers;
    private final StoreOpener opener;
    private final LaterStore.Watcher watcher;
    private final Time time;
    private final Threads threads;
    private final BelayOptions options;
    private volatile long number;
    private volatile Store store;
    private volatile @Nullable Capabilities known;

    /**
     * Connects, unless that is to be {@linkplain #start begun} later.
     *
     * @param numbers draws a random number for the client, at first and after each pause
     */
    StoreConnection(
            LongSupplier numbers,
            StoreOpener opener,
            LaterStore.Watcher watcher,
            Time time,
            Threads threads,
            BelayOptions options) {
        this.numbers = numbers;
        this.opener = opener;
        this.watcher = watcher;
        this.time = time;
        this.threads = threads;
        this.options = options;
        number = numbers.getAsLong();
        store = open();
        try {
            read();
        } catch (Throwable e) { // of a store that was opened: nobody else closes it
            store.close();
            throw e;
        }
    }

    private Store open() {
        ConnectMode mode = options.connectMode();
        if (mode == ConnectMode.LATER) {
            return later();
        }
        try {
            return opener.open(number, watcher);
        } catch (StoreException e) {
            if (mode == ConnectMode.IF_REACHABLE && e.isTemporary()) {
                LaterStore later = later();
                later.tried(watcher.failed(e));
                return later;
            }
            throw e;
        }
    }

    private LaterStore later() {
        return new LaterStore(listener -> opener.open(number, listener), watcher, time, threads, options);
    }

    /** Begins to connect, if that was not done before. */
    void start() {
        if (store instanceof LaterStore later) {
            later.start();
        }
    }

    /** Reads what the store can do, as far as it is known. */
    Capabilities read() {
        Capabilities its = store.capabilities();
        if (isThere()) {
            known = its;
        }
        return its;
    }

    private boolean isThere() {
        return !(store instanceof LaterStore later) || later.isConnected();
    }

    /** Returns what the store can do, or could before a pause; empty while it has never been there. */
    Optional<Capabilities> known() {
        return Optional.ofNullable(known);
    }

    /** Returns the state of a store that is not there; empty if it is. */
    Optional<StoreHealth> absence() {
        return store instanceof LaterStore later && !later.isConnected()
                ? Optional.of(later.health())
                : Optional.empty();
    }

    Store store() {
        return store;
    }

    long number() {
        return number;
    }

    void close() {
        store.close();
    }

    /** Disconnects; returns what is done when nothing of the connection is left. */
    CompletableFuture<?> pause() {
        Store former = store;
        LaterStore next = later();
        next.pause(former.capabilities());
        store = next;
        former.close();
        return former instanceof LaterStore later ? later.ended() : CompletableFuture.completedFuture(null);
    }

    /**
     * Connects again, with another number: a checkpoint may go on as two processes, and a store would take the claims of one for
     * those of the other.
     */
    void resume() {
        number = numbers.getAsLong();
        start();
    }
}
