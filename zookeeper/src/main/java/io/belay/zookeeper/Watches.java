package io.belay.zookeeper;

import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.support.Mutex;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The waits of a session for changes of nodes. The server keeps at most one watch for each node and kind, and none
 * without a wait: a watch is used up when it tells, or removed when the last wait is cancelled. Thread-safe.
 */
final class Watches {
    /** Looks again for what was refused, on the JDK's thread for timeouts, as a look does not block. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);

    private final Mutex lock = new Mutex();
    private final Session session;
    private final Map<Place, Set<Wait>> waits = new HashMap<>();

    /** The waits that could not ask while the connection was lost, or were refused a moment ago. */
    private final Set<Wait> unasked = new LinkedHashSet<>();

    Watches(Session session) {
        this.session = session;
    }

    /** Tells once when a node is not as it was read; see {@link Nodes#watch}. */
    Nodes.Watch node(Node node, Consumer<Optional<Node>> changed) {
        return start(new NodeWait(new Place(node.key(), Watcher.WatcherType.Data), node, changed));
    }

    /** Tells once when there is a later node; see {@link Nodes#watchArrivals}. */
    Nodes.Watch arrivals(String directory, long order, int room, Runnable arrived) {
        return start(new ArrivalWait(new Place(directory, Watcher.WatcherType.Children), order, room, arrived));
    }

    private Wait start(Wait wait) {
        try (var held = lock.hold()) {
            waits.computeIfAbsent(wait.place, place -> new LinkedHashSet<>()).add(wait);
        }
        wait.look();
        return wait;
    }

    /**
     * Looks again for the waits that could not ask while the connection was lost. ZooKeeper's client has renewed the
     * watches that there were.
     */
    void again() {
        List<Wait> all;
        try (var held = lock.hold()) {
            all = List.copyOf(unasked);
            unasked.clear();
        }
        all.forEach(Wait::look);
    }

    private List<Wait> at(Place place) {
        try (var held = lock.hold()) {
            return List.copyOf(waits.getOrDefault(place, Set.of()));
        }
    }

    /** Takes a wait out, to be told or to be forgotten. Returns whether it was still there. */
    private boolean take(Wait wait) {
        try (var held = lock.hold()) {
            unasked.remove(wait);
            Set<Wait> others = waits.get(wait.place);
            return others != null && others.remove(wait);
        }
    }

    private void tidy(Place place, boolean watched) {
        try (var held = lock.hold()) {
            Set<Wait> others = waits.get(place);
            if (others == null || !others.isEmpty()) {
                return;
            }
            waits.remove(place);
            // Inside, so that whoever waits for it next asks after this.
            if (watched) {
                session.removeWatches(place.path, place.type);
            }
        }
    }

    /** A kind of watch on a node: equal for all that wait there, so that the server keeps one. */
    private final class Place implements Watcher {
        private final String path;
        private final WatcherType type;

        Place(String path, WatcherType type) {
            this.path = path;
            this.type = type;
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() == Event.EventType.NodeDeleted) {
                at(this).forEach(Wait::gone);
            } else if (event.getType() == Event.EventType.NodeDataChanged
                    || event.getType() == Event.EventType.NodeChildrenChanged) {
                at(this).forEach(Wait::look);
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Place place && place.path.equals(path) && place.type == type;
        }

        @Override
        public int hashCode() {
            return path.hashCode();
        }
    }

    private abstract class Wait implements Nodes.Watch {
        final Place place;

        Wait(Place place) {
            this.place = place;
        }

        /** Looks how things are now, and watches them. */
        abstract void look();

        /** Ends the wait: the node is not there any more, and the watch is used up. */
        abstract void gone();

        void failed(Throwable error) {
            if (Failures.is(error, Code.NONODE)) {
                gone();
                return;
            } else if (Failures.is(error, Code.SESSIONEXPIRED, Code.AUTHFAILED)) {
                return; // nobody asks in this session any more
            }
            try (var held = lock.hold()) {
                if (waits.getOrDefault(place, Set.of()).contains(this)) {
                    unasked.add(this);
                }
            }
            if (!Failures.is(error, Code.CONNECTIONLOSS)) { // as for a server that has too much to do
                LATER.execute(this::lookAgain);
            }
        }

        private void lookAgain() {
            boolean still;
            try (var held = lock.hold()) {
                still = unasked.remove(this);
            }
            if (still) {
                look();
            }
        }

        void tell(Runnable what, boolean watched) {
            if (take(this)) {
                what.run(); // who is told may watch on, so what is left is seen afterwards
                tidy(place, watched);
            }
        }

        @Override
        public void cancel() {
            if (take(this)) {
                tidy(place, true);
            }
        }
    }

    private final class NodeWait extends Wait {
        private final Node node;
        private final Consumer<Optional<Node>> changed;

        NodeWait(Place place, Node node, Consumer<Optional<Node>> changed) {
            super(place);
            this.node = node;
            this.changed = changed;
        }

        @Override
        void look() {
            session.read(node.key(), place, (content, error) -> {
                if (error != null) {
                    failed(error);
                    return;
                }
                Node now = Queues.read(node, content.data(), content.stat());
                if (isChanged(now)) {
                    tell(() -> changed.accept(Optional.of(now)), true);
                }
            });
        }

        private boolean isChanged(Node now) {
            return node.version() == Node.UNREAD
                    ? now.details().weight() != node.details().weight()
                            || now.details().marked() != node.details().marked()
                    : now.version() != node.version();
        }

        @Override
        void gone() {
            tell(() -> changed.accept(Optional.empty()), false);
        }
    }

    private final class ArrivalWait extends Wait {
        private final int room;
        private final Runnable arrived;

        /** The number of the last node that is known not to matter; used by the event thread alone. */
        private long last;

        ArrivalWait(Place place, long last, int room, Runnable arrived) {
            super(place);
            this.last = last;
            this.room = room;
            this.arrived = arrived;
        }

        @Override
        void look() {
            session.family(place.path, place, (family, error) -> {
                if (error != null) {
                    failed(error);
                    return;
                }
                int made = family.madeSince(last);
                List<Node> later = Queues.of(place.path, family).nodes().stream()
                        .filter(node -> Queues.isLater(node.order(), last))
                        .toList();
                // Who has gone again may have gone because there was no room.
                if (later.size() < made
                        || later.stream().anyMatch(node -> node.details().weight() > room)) {
                    tell(arrived, true);
                }
                last += Math.max(0, made);
            });
        }

        @Override
        void gone() {
            tell(() -> {}, false); // where nothing is, nobody holds anything
        }
    }
}
