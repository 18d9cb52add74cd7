package io.belay.etcd;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** A call that notes what is heard of the member to which it has gone, and can be failed as if that were not there. */
final class PeerCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private static final Status SILENT = Status.UNAVAILABLE.withDescription("nothing comes from that member any more");

    private final Peers peers;
    private volatile Peers.@Nullable Peer peer;
    /** True once anything has come, or the call has ended: it may come before the member is known. */
    private volatile boolean heard;

    private volatile boolean ended;
    private volatile boolean failed;

    PeerCall(Peers peers, ClientCall<Q, A> call) {
        super(call);
        this.peers = peers;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        super.start(new Ears(listener), headers);
        find();
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
        failed = true;
        super.cancel("nothing comes from that member any more", null);
    }

    @Override
    public void sendMessage(Q message) {
        if (!failed) {
            super.sendMessage(message);
        }
    }

    @Override
    public void halfClose() {
        if (!failed) { // or it would be said that the call was cancelled
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
            super.onClose(failed ? SILENT : status, trailers);
        }
    }
}
