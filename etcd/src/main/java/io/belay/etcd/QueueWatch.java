package io.belay.etcd;

import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch over all claims of a resource, for as long as claims of this client wait there. It keeps a copy of the
 * queue, so that a waiter whose predecessor has gone need not ask whether others went before it. Thread-safe.
 *
 * <p>The watch begins now, and the client reads the queue once it has: see {@link KeyWatch}.
 */
final class QueueWatch {
    private static final Log LOG = Log.of(LogName.STORE);

    private static final WatchOption ALL = WatchOption.builder()
            .isPrefix(true)
            .withCreateNotify(true)
            .withRequireLeader(true)
            .build();

    /** The time for which a watch goes on when no claim waits: a client that has waited is likely to wait again. */
    private static final long LINGER_MILLIS = 1_000;

    /** The pause before a watch that has broken is begun anew. */
    static final long AGAIN_MILLIS = 500;

    private final Mutex lock = new Mutex();
    private final QueueWatches all;
    /** The bytes that the keys of the resource's claims begin with. */
    private final ByteSequence claims;

    private final Map<String, Set<Wait>> waits = new HashMap<>();

    /** The copy of the queue: the nodes that are there, if {@link #sure}. */
    private final Map<String, Node> line = new HashMap<>();
    /** The revision of which the copy is. */
    private long revision;
    /** The revision from which on the watch tells all; beyond all revisions while there is no watch. */
    private long begun = Long.MAX_VALUE;
    /** True once the queue was read after the watch began, so that the copy lacks only what is still to be told. */
    private boolean sure;
    /** The events that came before the queue was read. */
    private final List<WatchEvent> early = new ArrayList<>();

    /** The members in a row that have refused the watch, where others may serve. */
    private final AtomicInteger refusals = new AtomicInteger();

    private @Nullable Stream stream;
    private boolean closed;
    private boolean lingering;

    QueueWatch(QueueWatches all, ByteSequence claims) {
        this.all = all;
        this.claims = claims;
    }

    /** A node that a claim waits for. */
    private final class Wait implements Nodes.Watch {
        private final Node node;
        private final Consumer<Optional<Node>> changed;

        Wait(Node node, Consumer<Optional<Node>> changed) {
            this.node = node;
            this.changed = changed;
        }

        boolean isOver() {
            Node now = line.get(node.key());
            return knowsOf(node) && (now == null || now.order() != node.order() || now.version() != node.version());
        }

        void tell(@Nullable Node now) {
            try {
                changed.accept(now == null || now.order() != node.order() ? Optional.empty() : Optional.of(now));
            } catch (RuntimeException e) {
                LOG.error("A change of a key could not be followed; the claim asks again soon", e);
            }
        }

        @Override
        public void cancel() {
            remove(this);
        }
    }

    /** Tells once when the node is not as it was read, or gone. Returns null if this watch has been closed. */
    Nodes.@Nullable Watch await(Node node, Consumer<Optional<Node>> changed) {
        Wait wait = new Wait(node, changed);
        Stream first = null;
        try (var held = lock.hold()) {
            if (closed) {
                return null;
            }
            if (wait.isOver()) {
                Node now = line.get(node.key());
                later(0).execute(() -> wait.tell(now)); // never inside this call
                return wait;
            }
            waits.computeIfAbsent(node.key(), key -> new LinkedHashSet<>()).add(wait);
            if (stream == null) {
                first = new Stream();
                stream = first;
            }
        }
        if (first != null) {
            first.open();
        }
        return wait;
    }

    private void remove(Wait wait) {
        try (var held = lock.hold()) {
            Set<Wait> others = waits.get(wait.node.key());
            if (others == null || !others.remove(wait)) {
                return;
            }
            if (others.isEmpty()) {
                waits.remove(wait.node.key());
            }
            linger();
        }
    }

    private void linger() {
        if (waits.isEmpty() && !lingering && !closed) {
            lingering = true;
            later(LINGER_MILLIS).execute(this::closeIfIdle);
        }
    }

    /** Runs what does not block, on the JDK's thread for timeouts: an application may keep the common pool busy. */
    static Executor later(long millis) {
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
    }

    /** Notes why a watch has broken; returns whether it goes to the next member at once, as a call does that is refused. */
    static boolean isForNext(@Nullable Throwable error, AtomicInteger refusals) {
        return error != null
                && EtcdFailures.isForAnother(error)
                && refusals.incrementAndGet() % (LeaderCall.AT_ONCE + 1) != 0;
    }

    private void closeIfIdle() {
        Stream last;
        try (var held = lock.hold()) {
            lingering = false;
            if (!waits.isEmpty() || closed) {
                return;
            }
            closed = true;
            last = stream;
            all.ended(claims, this);
        }
        if (last != null) {
            last.close();
        }
    }

    /** Returns whether a node that is not in the copy has gone, and is not merely younger than what is known. */
    private boolean knowsOf(Node node) {
        return sure && node.version() <= revision;
    }

    /** Returns the nodes as they are, for all that is known here; empty where that is not certain. */
    Optional<List<Optional<Node>>> known(List<Node> nodes) {
        try (var held = lock.hold()) {
            if (!nodes.stream().allMatch(this::knowsOf)) {
                return Optional.empty();
            }
            List<Optional<Node>> now = new ArrayList<>(nodes.size());
            for (Node node : nodes) {
                now.add(Optional.ofNullable(line.get(node.key())).filter(found -> found.order() == node.order()));
            }
            return Optional.of(now);
        }
    }

    /** Takes a copy of the queue as it was read, at that revision. */
    void listed(long at, Collection<Node> nodes) {
        List<Runnable> told = new ArrayList<>();
        try (var held = lock.hold()) {
            if (at < begun || (sure && at <= revision)) {
                return; // what came afterwards is not told, or is known already
            }
            revision = at;
            line.clear();
            nodes.forEach(node -> line.put(node.key(), node));
            sure = true;
            apply(early);
            early.clear();
            List.copyOf(waits.keySet()).forEach(key -> collect(key, told));
        }
        told.forEach(Runnable::run);
    }

    private void seen(Stream teller, List<WatchEvent> events) {
        List<Runnable> told = new ArrayList<>();
        try (var held = lock.hold()) {
            if (teller.isOver()) {
                return;
            } else if (sure) {
                apply(events);
                events.forEach(event -> collect(all.key(event.getKeyValue()), told));
            } else {
                early.addAll(events);
            }
        }
        told.forEach(Runnable::run);
    }

    /** Applies the events that are new to the copy: all of one revision come together. */
    private void apply(List<WatchEvent> events) {
        long before = revision;
        for (WatchEvent event : events) {
            long at = event.getKeyValue().getModRevision();
            if (at > before) {
                apply(event);
                revision = at;
            }
        }
    }

    private void apply(WatchEvent event) {
        if (event.getEventType() == WatchEvent.EventType.DELETE) {
            line.remove(all.key(event.getKeyValue()));
        } else {
            all.node(event.getKeyValue()).ifPresent(node -> line.put(node.key(), node));
        }
    }

    /** Forgets what was known, since nothing of it counts any more. */
    private void doubt() {
        sure = false;
        revision = 0;
        line.clear();
        early.clear();
    }

    /** Takes out the waits for a node that is not there as it was read, and adds what tells them to {@code told}. */
    private void collect(String key, List<Runnable> told) {
        Set<Wait> those = waits.get(key);
        if (those == null) {
            return;
        }
        Node now = line.get(key);
        those.removeIf(wait -> {
            boolean over = wait.isOver();
            if (over) {
                told.add(() -> wait.tell(now));
            }
            return over;
        });
        if (those.isEmpty()) {
            waits.remove(key);
        }
        linger();
    }

    private void openAgain(Stream ended) {
        Stream next = null;
        try (var held = lock.hold()) {
            if (stream == ended && !closed) {
                next = waits.isEmpty() ? null : new Stream();
                stream = next;
            }
        }
        if (next != null) {
            next.open();
        }
    }

    /** The watch, until it breaks for good. */
    private final class Stream implements Watch.Listener {
        private volatile Watch.@Nullable Watcher watcher;
        private boolean over;

        private boolean isOver() {
            return over || closed || stream != this;
        }

        /** Begins the watch. Not to be called under a lock of ours: jetcd tells errors under one of its own. */
        void open() {
            try {
                watcher = all.watch(claims, ALL, this);
            } catch (RuntimeException e) {
                broken(e);
                return;
            }
            boolean late;
            try (var held = lock.hold()) {
                late = isOver();
            }
            if (late) {
                close();
            }
        }

        @Override
        public void onNext(WatchResponse response) {
            if (response.isCreatedNotify()) {
                created(response.getHeader().getRevision());
            }
            if (!response.getEvents().isEmpty()) {
                seen(this, response.getEvents());
            }
        }

        /**
         * Reads the queue, as the watch has begun: also anew on another connection, or at a server without its data.
         */
        private void created(long at) {
            try (var held = lock.hold()) {
                if (isOver()) {
                    return;
                }
                begun = at;
                refusals.set(0);
                doubt();
            }
            all.list(claims).whenComplete((done, error) -> {
                if (error != null) {
                    broken(error);
                }
            });
        }

        @Override
        public void onError(Throwable error) {
            broken(error);
        }

        @Override
        public void onCompleted() {
            broken(null);
        }

        /** Replaces the watch; it is closed before that, as {@link KeyWatch} tells. */
        private void broken(@Nullable Throwable error) {
            LOG.debug("A watch over a line has ended; its claims ask again soon", error);
            try (var held = lock.hold()) {
                if (isOver()) {
                    return;
                }
                over = true;
                begun = Long.MAX_VALUE;
                doubt();
            }
            later(0).execute(this::close); // not here, where jetcd holds a lock
            later(isForNext(error, refusals) ? 0 : AGAIN_MILLIS).execute(() -> openAgain(this));
        }

        void close() {
            Watch.Watcher open = watcher;
            if (open != null) {
                open.close();
            }
        }
    }
}
