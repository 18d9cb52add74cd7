package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.spi.Store;
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
 * and what failed may have been done. An implementation never sends again what may have been done: its caller asks
 * again. Callbacks and completions come on threads that must not be blocked.
 */
public interface Nodes extends AutoCloseable {
    /** Returns whether each claim may have a lease of its own length. */
    boolean leasePerClaim();

    /**
     * Makes a claim's first node, or finds it. A claim of {@link ClaimId#NOBODY} outlives its client; a resource has one of
     * those at a time.
     *
     * @return the entry; empty where the claim was left before it came, as {@link #leave} was told, or where it is nobody's
     *     and another one of nobody is there
     */
    CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details);

    /**
     * Reads all nodes of a resource and the capacity that was set, as they are at one time; with all that nodes say if
     * {@code whole}, of which some may be read a little later, while the capacity is the same.
     */
    CompletionStage<NodeQueue> list(String resource, boolean whole);

    /**
     * Makes another node for the claim of a node, behind all others, and ends the one that it had, in one step.
     *
     * @param unclear whether an enter of the claim may still be on its way
     * @return the entry; empty where the node that it had is not there
     */
    CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear);

    /**
     * Ends all nodes of a claim. The caller asks again if that fails, as the nodes would last as long as their client.
     *
     * @param own its node as it was last seen; null if that is not known
     * @param unclear whether an enter of it may still be on its way, and is to find that it comes too late
     * @return whether there were any; also false, without asking, where the service ends them by itself by now
     */
    CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear);

    /** Ends these nodes if they are there. Returns whether any was. */
    CompletionStage<Boolean> remove(String resource, List<Node> nodes);

    /**
     * Sets the capacity of a resource, unless it has changed since it was read; {@link Capacity#NONE} forgets it. Returns
     * whether that was done; not so where it had been changed.
     */
    CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next);

    /**
     * Reads nodes whole, as they are now; where members answer for themselves, as they were at this client's last write or list,
     * or later. Empty for those that are gone.
     */
    CompletionStage<List<Optional<Node>>> read(List<Node> nodes);

    /**
     * Does the same without asking, for nodes that a claim of this client waits behind, if the service tells this
     * client all that happens there; empty if it does not. The service may not have told yet what has just happened; a
     * node that it has said is gone is gone.
     */
    default Optional<List<Optional<Node>>> known(List<Node> nodes) {
        Objects.requireNonNull(nodes, "nodes");
        return Optional.empty();
    }

    /**
     * Changes what a node says, unless it has changed since it was read. Returns the node as it is then; empty if not
     * done.
     */
    CompletionStage<Optional<Node>> write(Node node, Details details);

    /**
     * Keeps own nodes alive, each for itself: none fails for what is wrong with another, and none waits for another's
     * server.
     *
     * @param held whether their claims are held, so that somebody relies on what is answered
     * @return for each until when it is there, as in {@link Position}; empty for one that is not there any more
     */
    List<? extends CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held);

    /**
     * Changes what an own node says, unless it has changed since it was read, and in the same step puts it on a lease of
     * its own in place of the one it has: one that is not renewed, and outlives the client. May be asked again for another
     * length, which may be shorter. The node ends no sooner than the length says, counted from this call.
     *
     * @param lease the length in microseconds; a service that counts in longer steps rounds it up
     * @return the node as it is then; empty if not done
     */
    CompletionStage<Optional<Node>> fix(Node own, Details details, long lease);

    /**
     * Tells {@code changed} once, as soon as a node is not as it was read: how it is then, or that it is gone. Tells it
     * also if that has happened before, but never inside this call. Need not tell what is lost with a connection.
     *
     * @param ahead where a claim waits for the node: all nodes before that claim, as far as they are known; else none
     */
    Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed);

    /**
     * Tells {@code arrived} once, as soon as a claim enters a resource behind a node of this client and does not fit
     * beside it: also a claim that has gone again before that was seen. Never tells inside this call.
     *
     * @param room the greatest weight that fits
     */
    Watch watchArrivals(String resource, Node own, int room, Runnable arrived);

    /**
     * Reads a page of the names of the resources that have nodes, or a capacity that was set; arguments and page as for
     * {@link Store#names}.
     */
    CompletionStage<Store.NamePage> names(String prefix, String cursor);

    /** Ends the connection, and with it sooner or later all own nodes but those that {@link #fix} has put on other leases. */
    @Override
    void close();

    /** A wait for a change. */
    interface Watch {
        /** Stops to wait; the change may still be told. */
        void cancel();
    }
}
