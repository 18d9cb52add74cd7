package io.belay.etcd;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A call that notes what is heard of the member to which it has gone, and can be failed as if that were not there. */
final class PeerCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private static final Status SILENT = Status.UNAVAILABLE.withDescription("nothing comes from that member any more");
    private static final Status UNCONNECTED =
            Status.UNAVAILABLE.withDescription("no member could be connected to in time");

    private final Peers peers;
    private final boolean limited;
    private volatile Peers.@Nullable Peer peer;
    /** True once anything has come, or the call has ended: it may come before the member is known. */
    private volatile boolean heard;

    private volatile boolean ended;
    /** The status with which the call was failed here; null if it was not. */
    private volatile @Nullable Status failed;

    /**
     * Makes one.
     *
     * @param limited whether nobody waits for it any more where it is not connected for long
     */
    PeerCall(Peers peers, ClientCall<Q, A> call, boolean limited) {
        super(call);
        this.peers = peers;
        this.limited = limited;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        if (limited) { // a watch asks for it where it is made
            headers.discardAll(HAS_LEADER);
            headers.put(HAS_LEADER, "true"); // without a leader a member would wait for one, and be silent
        }
        super.start(new Ears(listener), headers);
        find();
        if (peer == null && !ended && limited) {
            peers.waits(this);
        }
    }

    private void find() {
        Peers.Peer found = peer == null ? peers.asked(this) : null;
        if (found == null) {
            return;
        }
        peer = found;
        if (heard) {
            found.heard();
        }
        if (ended) {
            found.ended(this);
        }
    }

    private void hear() {
        heard = true;
        Peers.Peer known = peer;
        if (known != null) {
            known.heard();
        }
    }

    /** Ends the call as one to a member that cannot be reached. */
    void fail() {
        fail(SILENT);
    }

    Peers peers() {
        return peers;
    }

    /** Ends the call if it still waits for a connection, as nobody waits for its answer any more; returns whether it did. */
    boolean failIfWaiting() {
        if (!ended) {
            find(); // of what has one question it is not told when it gets its connection
        }
        boolean waits = peer == null && !ended;
        if (waits) {
            fail(UNCONNECTED.withCause(new TimeoutException()));
        }
        return waits;
    }

    private void fail(Status as) {
        failed = as;
        super.cancel(as.getDescription(), null);
    }

    @Override
    public void sendMessage(Q message) {
        if (failed == null) {
            super.sendMessage(message);
        }
    }

    @Override
    public void halfClose() {
        if (failed == null) { // or it would be said that the call was cancelled
            super.halfClose();
        }
    }

    private final class Ears extends SimpleForwardingClientCallListener<A> {
        Ears(Listener<A> listener) {
            super(listener);
        }

        @Override
        public void onReady() {
            find(); // of a call that had to wait for a connection
            super.onReady();
        }

        @Override
        public void onHeaders(Metadata headers) {
            hear();
            super.onHeaders(headers);
        }

        @Override
        public void onMessage(A message) {
            hear();
            super.onMessage(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended = true;
            if (status.getCode() != Status.Code.CANCELLED) { // which may come from here
                hear();
            }
            Peers.Peer known = peer;
            if (known != null) {
                known.ended(PeerCall.this);
            }
            Status as = failed;
            super.onClose(as == null ? status : as, trailers);
        }
    }
}
