package io.belay.etcd;

import io.belay.node.Nodes;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Waits for one thing to happen to a key. The watch begins now, not at a revision that was read before: a server
 * brings watches from an earlier revision up to date by a timer only, every 100 ms. What happened before the watch
 * began is found by a look once it has.
 */
abstract class KeyWatch implements Nodes.Watch, Watch.Listener {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The options of a watch on one key, which needs a leader: a member cut off from the others would be silent. */
    static final WatchOption ONE =
            WatchOption.builder().withCreateNotify(true).withRequireLeader(true).build();

    /**
     * Returns the options of a watch on all that came after a revision, also what has gone again. A server takes up to
     * 100 ms to look back, so this is for what need not be quick.
     */
    static WatchOption arrivals(long revision) {
        return WatchOption.builder()
                .withCreateNotify(true)
                .withRequireLeader(true)
                .isPrefix(true)
                .withNoDelete(true)
                .withRevision(revision + 1)
                .build();
    }

    private final ByteSequence key;
    private final WatchOption option;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Watch.@Nullable Watcher watcher;

    KeyWatch(ByteSequence key, WatchOption option) {
        this.key = key;
        this.option = option;
    }

    /** Looks whether what is waited for has happened. Returns what is to be run then, else null. */
    abstract CompletionStage<@Nullable Runnable> look();

    /** Returns what is to be run if an event is what is waited for, else null. */
    abstract @Nullable Runnable seen(WatchEvent event);

    void begin(Watch watches) {
        Watch.Watcher begun = watches.watch(key, option, this);
        watcher = begun;
        if (over.get()) {
            begun.close();
        }
    }

    @Override
    public void onNext(WatchResponse response) {
        if (over.get()) {
            return;
        }
        for (WatchEvent event : response.getEvents()) {
            tell(seen(event));
        }
        if (response.isCreatedNotify()) {
            // Also after it was begun anew on another connection.
            look().whenComplete((happened, error) -> tell(happened));
        }
    }

    private void tell(@Nullable Runnable happened) {
        if (happened != null && over.compareAndSet(false, true)) {
            close();
            try {
                happened.run();
            } catch (RuntimeException e) {
                LOG.error("A change of a key could not be followed; the claim asks again soon", e);
            }
        }
    }

    @Override
    public void onError(Throwable error) {
        LOG.debug("A watch has ended; its claim asks again soon", error);
        // It may have been to look back farther than the server remembers. Not here, where jetcd holds a lock.
        QueueWatch.later(0).execute(() -> look().whenComplete((happened, failed) -> tell(happened)));
    }

    @Override
    public void onCompleted() {}

    @Override
    public void cancel() {
        if (over.compareAndSet(false, true)) {
            close();
        }
    }

    private void close() {
        Watch.Watcher begun = watcher;
        if (begun != null) {
            begun.close();
        }
    }
}
