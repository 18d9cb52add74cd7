package io.belay.zookeeper;

import io.belay.node.Capacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** The nodes above and beside those of claims: the containers, the path to them, and capacities that were set. */
final class Directories {
    private static final byte[] NOTHING = {};

    /** The number of attempts: a container that is empty may go between any two requests. */
    private static final int ATTEMPTS = 5;

    private final Settings settings;

    Directories(Settings settings) {
        this.settings = settings;
    }

    CompletionStage<Void> nothing() {
        return CompletableFuture.completedStage(null);
    }

    /** Runs what needs a directory, and makes that first if it is not there. */
    <T> CompletionStage<T> in(Session session, String directory, Supplier<CompletionStage<T>> work) {
        return in(session, directory, ATTEMPTS, work);
    }

    private <T> CompletionStage<T> in(
            Session session, String directory, int attempts, Supplier<CompletionStage<T>> work) {
        return work.get()
                .handle((result, error) -> {
                    if (error == null) {
                        return CompletableFuture.completedStage(result);
                    } else if (attempts > 1 && Failures.is(error, Code.NONODE)) {
                        return makeDirectory(session, directory)
                                .thenCompose(made -> in(session, directory, attempts - 1, work));
                    }
                    return CompletableFuture.<T>failedStage(error);
                })
                .thenCompose(Function.identity());
    }

    /** Makes a resource's container, and what is missing above it. ZooKeeper removes a container when it is empty. */
    private CompletionStage<Void> makeDirectory(Session session, String directory) {
        return session.create(directory, NOTHING, settings.acl(), CreateMode.CONTAINER)
                .handle((made, error) -> {
                    if (error == null || Failures.is(error, Code.NODEEXISTS)) {
                        return CompletableFuture.<Void>completedStage(null);
                    } else if (Failures.is(error, Code.NONODE)) {
                        return makeRoot(session).thenCompose(done -> makeDirectory(session, directory));
                    }
                    return CompletableFuture.<Void>failedStage(error);
                })
                .thenCompose(Function.identity());
    }

    /** Makes the path to all containers, as far as it is missing. */
    CompletionStage<Void> makeRoot(Session session) {
        return makeRoot(session, settings.root().indexOf('/', 1), null);
    }

    /**
     * Makes the path from that slash on.
     *
     * @param refused why the part before was not made, for want of a right: it may be there all the same, as ZooKeeper
     *     looks for rights first
     */
    private CompletionStage<Void> makeRoot(Session session, int slash, @Nullable Throwable refused) {
        String root = settings.root();
        boolean last = slash < 0;
        return session.create(last ? root : root.substring(0, slash), NOTHING, settings.acl(), CreateMode.PERSISTENT)
                .handle((made, error) -> {
                    boolean unknown = !last && Failures.is(error, Code.NOAUTH);
                    if (error == null || unknown || Failures.is(error, Code.NODEEXISTS)) {
                        return last
                                ? nothing()
                                : makeRoot(session, root.indexOf('/', slash + 1), unknown ? error : null);
                    }
                    boolean missing = refused != null && Failures.is(error, Code.NONODE);
                    return CompletableFuture.<Void>failedStage(missing ? refused : error);
                })
                .thenCompose(Function.identity());
    }

    /**
     * Sets a capacity, which is a node of its own and keeps the container. The container's version tells whether another one
     * was set since, or {@link #alone} was done something else.
     */
    CompletionStage<Boolean> resize(Session session, String directory, Capacity read, Capacity next) {
        List<Op> operations = new ArrayList<>();
        if (read.size() > 0) {
            operations.add(Op.delete(directory + "/" + NodeNames.capacity(read), -1));
        }
        if (next.size() > 0) {
            String path = directory + "/" + NodeNames.capacity(next);
            operations.add(Op.create(path, NOTHING, settings.acl(), CreateMode.PERSISTENT));
        }
        return in(session, directory, () -> alone(session, directory, (int) read.version(), operations))
                .thenApply(Optional::isPresent);
    }

    /**
     * Makes changes that are made one at a time in a directory, if it has that version; it has another one then.
     *
     * @return the results; empty if it has another version already
     */
    CompletionStage<Optional<List<OpResult>>> alone(
            Session session, String directory, int version, List<Op> operations) {
        List<Op> all = new ArrayList<>(List.of(Op.setData(directory, NOTHING, version)));
        all.addAll(operations);
        return Reading.present(session.multi(directory, all), Code.BADVERSION)
                .thenApply(done -> done.map(results -> results.subList(1, results.size())));
    }
}
