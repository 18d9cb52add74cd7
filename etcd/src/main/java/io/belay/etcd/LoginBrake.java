package io.belay.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds a client's logins back once one was refused, and fails them by the same words: jetcd logs in for every request as
 * long as it has no token, and a wrong password costs etcd as much time as a right one, a slow hash. Thread-safe.
 */
final class LoginBrake implements ClientInterceptor {
    /** The pause after the first refusal, and the longest: for so long a password that is right again may go unnoticed. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private record Refusal(Status status, long pause, long until) {}

    private final LongSupplier nanos;
    /** The last refusal; null where the last login was not refused. */
    private final AtomicReference<@Nullable Refusal> last = new AtomicReference<>();

    LoginBrake(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Refusal known = last.get();
        if (known != null && !isNext(known)) {
            return new Refused<>(known.status());
        }
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                note(status, known);
                                super.onClose(status, trailers);
                            }
                        },
                        headers);
            }
        };
    }

    /** Lets one login through after each pause; the others fail for another one, in which that may be answered. */
    private boolean isNext(Refusal known) {
        long now = nanos.getAsLong();
        return now - known.until() >= 0
                && last.compareAndSet(known, new Refusal(known.status(), known.pause(), now + known.pause()));
    }

    private void note(Status status, @Nullable Refusal before) {
        if (EtcdFailures.isRefusedLogin(status.getDescription())) {
            long pause = before == null ? PAUSE : Math.min(2 * before.pause(), LONGEST);
            last.set(new Refusal(status, pause, nanos.getAsLong() + pause));
        } else {
            last.set(null); // or no server has answered, which who comes next is to be told
        }
    }

    /** A call that is not sent. */
    private static final class Refused<Q, A> extends ClientCall<Q, A> {
        private final Status status;

        Refused(Status status) {
            this.status = status;
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            listener.onClose(status, new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String why, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
