package io.belay.zookeeper;

import io.belay.node.Deadline;
import io.belay.support.Moment;
import io.belay.support.Mutex;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A session: its nodes end with it, and what is asked in it is never asked in a later one. ZooKeeper runs what a
 * session asks in the order in which it was asked; so a question need not wait for the answer to the one before.
 *
 * <p>Stages are completed by ZooKeeper's event thread, and fail with a {@link KeeperException}.
 */
final class Session {
    /** The results of a write that has been through the quorum, as one has that fails for what it finds there. */
    private static final Set<Code> PROOFS = EnumSet.of(Code.OK, Code.NONODE, Code.BADVERSION, Code.NOAUTH);

    private final Mutex lock = new Mutex();
    private final ZooKeeper zooKeeper;
    private final long id;
    private final Watches watches = new Watches(this);

    /**
     * The time at which the last acknowledged write was sent: only a quorum with a leader acknowledges, and for living
     * sessions.
     */
    private Moment proven;

    /** The time for which the session outlived its client when that was acknowledged, in nanoseconds. */
    private long granted;

    Session(ZooKeeper zooKeeper, Moment connecting) {
        this.zooKeeper = zooKeeper;
        id = zooKeeper.getSessionId();
        granted = zooKeeper.getSessionTimeout() * 1_000_000L;
        proven = connecting;
    }

    long id() {
        return id;
    }

    boolean isOf(ZooKeeper handle) {
        return zooKeeper == handle && id == handle.getSessionId();
    }

    Watches watches() {
        return watches;
    }

    /**
     * Returns for how long the session outlives its client, in nanoseconds: the servers decide that anew with each connection,
     * each by its own limits.
     */
    long timeoutNanos() {
        long now = zooKeeper.getSessionTimeout() * 1_000_000L;
        try (var held = lock.hold()) {
            return now > 0 ? now : granted; // it has none any more once the servers have ended it
        }
    }

    /** Returns for how long the session certainly outlives the instant at which it was proven, in nanoseconds. */
    private long sureNanos() {
        return Math.min(granted, timeoutNanos());
    }

    /**
     * Returns until when the session certainly lives. A follower may have heard of this client and not yet said so to the
     * leader; a client speaks up after a third of the timeout, so two thirds are certain.
     */
    Deadline until() {
        try (var held = lock.hold()) {
            return Deadline.of(proven, sureNanos() / 3 * 2);
        }
    }

    /**
     * Returns whether it is time to let a write prove that the session lives; sooner for what is held: its next renewal comes
     * after a third of what is left, and more than a third of the session is to be left then.
     */
    boolean isStale(boolean held) {
        try (var guarded = lock.hold()) {
            return proven.asleep() > 0 || proven.ago() > sureNanos() / (held ? 12 : 6);
        }
    }

    private void acknowledged(Moment sent) {
        try (var held = lock.hold()) {
            if (sent.nanos() - proven.nanos() > 0) {
                proven = sent;
                granted = timeoutNanos();
            }
        }
    }

    /** A node that was made. */
    record Created(String path, Stat stat) {}

    /** The content of a node. */
    record Content(byte[] data, Stat stat) {}

    CompletableFuture<Created> create(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        Answer<Created> answer = new Answer<>(true);
        zooKeeper.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, name, stat) -> answer.complete(code, asked, () -> new Created(name, stat)),
                null);
        return answer;
    }

    CompletableFuture<List<OpResult>> multi(String path, List<Op> operations) {
        Answer<List<OpResult>> answer = new Answer<>(true);
        zooKeeper.multi(
                operations, (code, asked, context, results) -> answer.complete(code, path, () -> results), null);
        return answer;
    }

    /** Asks how many servers vote, by the ensemble's own configuration; that of a server by itself names none. */
    CompletableFuture<Integer> servers() {
        Answer<Integer> answer = new Answer<>(false);
        zooKeeper.getConfig(
                false,
                (code, path, context, data, stat) ->
                        answer.complete(code, path, () -> (int) new String(data, StandardCharsets.UTF_8)
                                .lines()
                                .filter(line -> line.startsWith("server.") && !line.contains(":observer"))
                                .count()),
                null);
        return answer;
    }

    /** Reads nodes in one request. Those that are not there are results of errors. */
    CompletableFuture<List<OpResult>> readAll(List<String> paths) {
        Answer<List<OpResult>> answer = new Answer<>(false);
        zooKeeper.multi(
                paths.stream().map(Op::getData).toList(),
                (code, asked, context, results) ->
                        // The first that is not there gives its code to the whole.
                        answer.complete(results == null ? code : 0, paths.get(0), () -> results),
                null);
        return answer;
    }

    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        Answer<Stat> answer = new Answer<>(true);
        zooKeeper.setData(
                path, data, version, (code, asked, context, stat) -> answer.complete(code, asked, () -> stat), null);
        return answer;
    }

    /** Deletes a node. Returns whether it was there. */
    CompletableFuture<Boolean> delete(String path) {
        Answer<Boolean> answer = new Answer<>(true);
        zooKeeper.delete(
                path,
                -1,
                (code, asked, context) -> {
                    boolean gone = code == Code.NONODE.intValue();
                    answer.complete(gone ? 0 : code, asked, () -> !gone);
                },
                null);
        return answer;
    }

    CompletableFuture<Stat> exists(String path) {
        Answer<Stat> answer = new Answer<>(false);
        zooKeeper.exists(path, false, (code, asked, context, stat) -> answer.complete(code, asked, () -> stat), null);
        return answer;
    }

    CompletableFuture<Content> read(String path) {
        Answer<Content> answer = new Answer<>(false);
        read(path, null, answer);
        return answer;
    }

    /** Reads a node and watches it. What is there is told by the event thread, never inside this call. */
    void read(String path, Watcher watcher, BiConsumer<Content, @Nullable Throwable> told) {
        Answer<Content> answer = new Answer<>(false);
        answer.whenComplete(told); // before it is asked, as the answer may come at once
        read(path, watcher, answer);
    }

    private void read(String path, @Nullable Watcher watcher, Answer<Content> answer) {
        zooKeeper.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        answer.complete(code, asked, () -> new Content(data == null ? new byte[0] : data, stat)),
                null);
    }

    /** The children of a node, and how often it has had another one or lost one. */
    record Family(List<String> children, Stat stat) {
        /** Returns how many nodes were made after the one with that number. Counts wrap, so only differences tell. */
        int madeSince(long number) {
            // ZooKeeper counts what was made, and shows twice that less what is there.
            return (stat.getCversion() + stat.getNumChildren() - 2 * ((int) number + 1)) / 2;
        }
    }

    CompletableFuture<Family> family(String path) {
        Answer<Family> answer = new Answer<>(false);
        family(path, null, answer);
        return answer;
    }

    /** Reads a node's children and watches for others; tells as {@link #read(String, Watcher, BiConsumer)} does. */
    void family(String path, Watcher watcher, BiConsumer<Family, @Nullable Throwable> told) {
        Answer<Family> answer = new Answer<>(false);
        answer.whenComplete(told);
        family(path, watcher, answer);
    }

    private void family(String path, @Nullable Watcher watcher, Answer<Family> answer) {
        zooKeeper.getChildren(
                path,
                watcher,
                (code, asked, context, names, stat) -> answer.complete(code, asked, () -> new Family(names, stat)),
                null);
    }

    /** Lets the server that this client is connected to catch up with the leader. */
    void sync(String path) {
        zooKeeper.sync(path, (code, asked, context) -> {}, null);
    }

    /** Ends all watches of a node. The server keeps those that are ended one by one. */
    void removeWatches(String path, Watcher.WatcherType type) {
        zooKeeper.removeAllWatches(path, type, false, (code, asked, context) -> {}, null);
    }

    /** The answer to a request, which completes when the server has sent it. */
    private final class Answer<T> extends CompletableFuture<T> {
        private final boolean write;
        private final Moment sent = Moment.now();

        Answer(boolean write) {
            this.write = write;
        }

        void complete(int number, String path, Result<T> result) {
            try {
                Code code = Code.get(number);
                if (write && PROOFS.contains(code)) {
                    acknowledged(sent);
                }
                if (code == Code.OK) {
                    complete(result.get());
                } else {
                    completeExceptionally(KeeperException.create(code, path));
                }
            } catch (RuntimeException e) {
                // As at a later server's number: ZooKeeper's thread would log it, and whoever has asked wait for ever.
                KeeperException failure = KeeperException.create(Code.SYSTEMERROR, path);
                failure.initCause(e);
                completeExceptionally(failure);
            } catch (Error e) { // it, too: as for want of memory, which may be there again a moment later
                completeExceptionally(e);
            }
        }
    }

    private interface Result<T> {
        T get();
    }
}
