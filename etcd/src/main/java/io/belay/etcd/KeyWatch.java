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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Waits for one thing to happen to a key. The watch begins now, not at a revision that was read before: a server
 * brings watches from an earlier revision up to date by a timer only, every 100 ms. What happened before the watch
 * began is found by a look once it has.
 */
abstract class KeyWatch implements Nodes.Watch {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The options of a watch on one key. */
    static final WatchOption ONE = options().build();

    /**
     * Returns the options of a watch on all that came after a revision, also what has gone again. A server takes up to
     * 100 ms to look back, so this is for what need not be quick.
     */
    static WatchOption arrivals(long revision) {
        return options()
                .isPrefix(true)
                .withNoDelete(true)
                .withRevision(revision + 1)
                .build();
    }

    /** Returns options that need a leader: a member cut off from the others would be silent. */
    private static WatchOption.Builder options() {
        return WatchOption.builder().withCreateNotify(true).withRequireLeader(true);
    }

    private final ByteSequence key;
    private final WatchOption option;
    private final AtomicBoolean over = new AtomicBoolean();
    /** The members in a row that have refused it, where others may serve. */
    private final AtomicInteger refusals = new AtomicInteger();

    private volatile @Nullable Stream stream;

    KeyWatch(ByteSequence key, WatchOption option) {
        this.key = key;
        this.option = option;
    }

    /** Looks whether what is waited for has happened. Returns what is to be run then, else null. */
    abstract CompletionStage<@Nullable Runnable> look();

    /** Returns what is to be run if an event is what is waited for, else null. */
    abstract @Nullable Runnable seen(WatchEvent event);

    void begin(Watch watches) {
        begin(watches, option);
    }

    private void begin(Watch watches, WatchOption how) {
        Stream next = new Stream(watches);
        stream = next;
        next.open(how);
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
    public void cancel() {
        if (over.compareAndSet(false, true)) {
            close();
        }
    }

    private void close() {
        Stream last = stream;
        if (last != null) {
            last.close();
        }
    }

    /** The watch, until it breaks. */
    private final class Stream implements Watch.Listener {
        private final Watch watches;
        private final AtomicBoolean broken = new AtomicBoolean();
        private volatile Watch.@Nullable Watcher watcher;

        Stream(Watch watches) {
            this.watches = watches;
        }

        void open(WatchOption how) {
            watcher = watches.watch(key, how, this);
            if (over.get() || broken.get()) {
                close();
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
                refusals.set(0);
                // Also after it was begun anew on another connection.
                look().whenComplete((happened, error) -> {
                    tell(happened);
                    if (error != null) {
                        broken(error);
                    }
                });
            }
        }

        @Override
        public void onError(Throwable error) {
            broken(error);
        }

        @Override
        public void onCompleted() {
            broken(null);
        }

        /**
         * Replaces the watch after a pause, or at once by one at the next member. jetcd goes on by itself after some errors,
         * and not after others, and after the same pause: what is closed only then may go on all the same, and nobody would
         * end that.
         */
        private void broken(@Nullable Throwable error) {
            if (over.get() || !broken.compareAndSet(false, true)) {
                return;
            }
            LOG.debug("A watch has ended; it begins anew soon", error);
            boolean next = QueueWatch.isForNext(error, refusals);
            // Not here, where jetcd holds a lock.
            QueueWatch.later(0).execute(() -> {
                close();
                if (!next) { // a look would take that member's turn
                    look().whenComplete((happened, failed) -> tell(happened));
                }
            });
            QueueWatch.later(next ? 0 : QueueWatch.AGAIN_MILLIS).execute(this::replace);
        }

        private void replace() {
            if (over.get()) {
                return;
            }
            try {
                // It may have been to look back farther than the server remembers; the look finds who is there.
                begin(watches, fromNow());
            } catch (RuntimeException e) {
                LOG.debug("Nothing can be watched any more", e);
            }
        }

        private WatchOption fromNow() {
            return options()
                    .isPrefix(option.isPrefix())
                    .withNoDelete(option.isNoDelete())
                    .build();
        }

        void close() {
            Watch.Watcher open = watcher;
            if (open != null) {
                open.close();
            }
        }
    }
}
