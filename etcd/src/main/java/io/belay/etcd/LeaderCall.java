package io.belay.etcd;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call with one message that asks for a member that knows a leader. One that is cut off from the others, or elects
 * with them, knows none; and one that has yet to catch up, a learner, serves nobody. Both say so at once and have done
 * nothing, so the call is sent once more, to the next member.
 */
final class LeaderCall<Q, A> extends ForwardingClientCall<Q, A> {
    /** How often it goes to the next member at once: of three, or five, that is enough to find one with a leader. */
    static final int AT_ONCE = 2;

    private final Supplier<ClientCall<Q, A>> maker;
    private final Predicate<Runnable> later;
    private volatile ClientCall<Q, A> call;
    private volatile boolean cancelled;
    private @Nullable Q message;
    private int times;

    /**
     * Makes one.
     *
     * @param maker makes the call to the member whose turn it is
     * @param later runs what it is given after a pause; false if that is too late for who waits for the answer
     */
    LeaderCall(Supplier<ClientCall<Q, A>> maker, Predicate<Runnable> later) {
        this.maker = maker;
        this.later = later;
        call = maker.get();
    }

    @Override
    protected ClientCall<Q, A> delegate() {
        return call;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        call.start(new Ears(listener, copy(headers)), headers);
    }

    @Override
    public void sendMessage(Q sent) {
        message = sent;
        call.sendMessage(sent);
    }

    @Override
    public void cancel(@Nullable String why, @Nullable Throwable cause) {
        cancelled = true;
        call.cancel(why, cause);
    }

    private void sendAgain(Listener<A> listener, Metadata headers) {
        ClientCall<Q, A> next = maker.get();
        next.start(new Ears(listener, copy(headers)), headers);
        call = next;
        next.request(2); // as of any call with one answer: a second one would be a fault
        next.sendMessage(message);
        next.halfClose();
        if (cancelled) {
            next.cancel("it was cancelled before it was sent again", null);
        }
    }

    /** A call changes its headers. */
    private static Metadata copy(Metadata headers) {
        Metadata copy = new Metadata();
        copy.merge(headers);
        return copy;
    }

    private final class Ears extends SimpleForwardingClientCallListener<A> {
        private final Listener<A> listener;
        private final Metadata headers;

        Ears(Listener<A> listener, Metadata headers) {
            super(listener);
            this.listener = listener;
            this.headers = headers;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (cancelled || !EtcdFailures.isForAnother(status.getDescription())) {
                super.onClose(status, trailers);
            } else if (++times <= AT_ONCE) {
                sendAgain(listener, headers);
            } else if (!later.test(() -> sendAgain(listener, headers))) {
                super.onClose(status, trailers);
            }
        }
    }
}
