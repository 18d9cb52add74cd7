package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A service that keeps ordered nodes which end with their client: what etcd or ZooKeeper is to a {@link NodeStore}.
 *
 * <p>Every method may be called by any thread and returns without blocking. Stages fail with a {@link StoreException},
 * and what failed may have been done. Nothing is sent twice. Callbacks and completions come on threads that must not be
 * blocked.
 */
public interface Nodes extends AutoCloseable {
    /** Whether each claim may have a lease of its own length. */
    boolean leasePerClaim();

    /**
     * Makes a claim's first node, or finds it. A claim of {@link ClaimId#NOBODY} outlives its client.
     *
     * @return the entry; empty where the claim was left before it came, as {@link #leave} was told
     */
    CompletionStage<Optional<Entry>> enter(String resource, ClaimId id, int capacity, Details details);

    /** Reads a resource whole, with all that its nodes say if {@code whole}. */
    CompletionStage<Line> list(String resource, boolean whole);

    /**
     * Makes another node for the claim of one, behind all others, and ends that one, in one step.
     *
     * @param unclear whether an enter of the claim may still be on its way
     * @return the entry; empty where that node is not there
     */
    CompletionStage<Optional<Entry>> requeue(String resource, Node own, Details details, boolean unclear);

    /**
     * Ends all nodes of a claim. What fails is asked again, as the node would last as long as its client.
     *
     * @param own its node as it was last seen; null if that is not known
     * @param unclear whether an enter of it may still be on its way, and is to find that it comes too late
     * @return whether there were any; also false, without asking, where the service ends them by itself by now
     */
    CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear);

    /** Ends these nodes if they are there. Returns whether any was. */
    CompletionStage<Boolean> remove(String resource, List<Node> nodes);

    /** Sets the capacity of a resource, until it is set again. */
    CompletionStage<Void> resize(String resource, int capacity);

    /** Some nodes as they are now, whole; empty for those that are gone. */
    CompletionStage<List<Optional<Node>>> read(List<Node> nodes);

    /**
     * The same without asking, for nodes that a claim of this client waits behind, if the service tells this client all
     * that happens there; empty if it does not. What has just happened may not have been told yet; what is said to be
     * gone is gone.
     */
    default Optional<List<Optional<Node>>> known(List<Node> nodes) {
        Objects.requireNonNull(nodes, "nodes");
        return Optional.empty();
    }

    /** Changes what a node says, unless it has changed since it was read. Returns it as it is then; empty if not done. */
    CompletionStage<Optional<Node>> write(Node node, Details details);

    /**
     * Keeps own nodes alive, each for itself: none fails for what is wrong with another, and none waits for another's
     * server.
     *
     * @param held whether their claims are held, so that somebody relies on what is answered
     * @return for each until when, as in {@link Entry}; empty for one that is not there any more
     */
    List<? extends CompletionStage<Optional<Long>>> renew(List<Node> own, boolean held);

    /** Gives an own node a lease of its own, once, that is not renewed; returns its end. Empty if it is not there. */
    CompletionStage<Optional<Long>> fix(Node own, long hold);

    /**
     * Tells once, as soon as a node is not as it was read: as it is then, or that it is gone. Also if that has happened
     * before, but never inside this call. What is lost with a connection need not be told.
     *
     * @param ahead where a claim waits for the node: all that are before that claim, as far as they are known; else none
     */
    Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed);

    /**
     * Tells once, as soon as somebody enters a resource behind a node of one's own who does not fit beside it: also one
     * who has gone again before that was seen. Never inside this call.
     *
     * @param room the greatest weight that fits
     */
    Watch watchArrivals(String resource, Node own, int room, Runnable arrived);

    /** Ends the connection, and with it sooner or later all own nodes. */
    @Override
    void close();

    /** Something that is waited for. */
    interface Watch {
        /** Stops to wait; it may still be told. */
        void cancel();
    }
}
