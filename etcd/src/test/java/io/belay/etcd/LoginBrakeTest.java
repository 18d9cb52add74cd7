package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.AuthGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which logins are sent once one was refused. */
class LoginBrakeTest {
    private static final long SECOND = 1_000_000_000;

    private static final Status REFUSED =
            Status.INVALID_ARGUMENT.withDescription("etcdserver: authentication failed, invalid user ID or password");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND / 2); // it wraps
    private final LoginBrake brake = new LoginBrake(now::get);
    /** The logins that were sent, and not answered. */
    private final Queue<CompletableFuture<Status>> sent = new ArrayDeque<>();

    private final Channel channel = new Channel() {
        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            return new ClientCall<>() {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    CompletableFuture<Status> answer = new CompletableFuture<>();
                    sent.add(answer);
                    answer.thenAccept(status -> listener.onClose(status, new Metadata()));
                }

                @Override
                public void request(int messages) {}

                @Override
                public void cancel(@Nullable String why, @Nullable Throwable cause) {}

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q message) {}
            };
        }

        @Override
        public String authority() {
            return "";
        }
    };

    private CompletableFuture<Status> logIn() {
        CompletableFuture<Status> ended = new CompletableFuture<>();
        brake.interceptCall(AuthGrpc.getAuthenticateMethod(), CallOptions.DEFAULT, channel)
                .start(
                        new ClientCall.Listener<>() {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                ended.complete(status);
                            }
                        },
                        new Metadata());
        return ended;
    }

    private void isNotSent() {
        assertThat(logIn()).isCompletedWithValue(REFUSED);
        assertThat(sent).isEmpty();
    }

    private void isSentAnd(Status answer) {
        CompletableFuture<Status> login = logIn();
        sent.remove().complete(answer);
        assertThat(login).isCompletedWithValue(answer);
    }

    @Test
    void afterEachRefusalOneIsSentAfterAPauseThatGrows() {
        isSentAnd(REFUSED);
        for (int pause : new int[] {1, 2, 4, 5, 5}) {
            isNotSent();
            now.addAndGet(pause * SECOND - 1);
            isNotSent();
            now.addAndGet(1);
            isSentAnd(REFUSED);
        }
    }

    /** As of all threads that were at work when the password was changed. */
    @Test
    void severalThatWereSentBeforeTheFirstRefusalCountAsOne() {
        for (int i = 0; i < 9; i++) {
            logIn();
        }
        sent.forEach(login -> login.complete(REFUSED));
        sent.clear();
        now.addAndGet(SECOND);
        isSentAnd(Status.OK);
    }

    @Test
    void onlyOneIsSentUntilItIsAnswered() {
        isSentAnd(REFUSED);
        now.addAndGet(SECOND);
        CompletableFuture<Status> next = logIn();
        CompletableFuture<Status> answer = sent.remove();
        isNotSent();
        answer.complete(Status.OK);
        assertThat(next).isCompletedWithValue(Status.OK);
        isSentAnd(REFUSED);
        now.addAndGet(SECOND);
        isSentAnd(Status.OK);
        isSentAnd(Status.OK);
    }

    /** A server that has gone away, or is silent, is not said to refuse a password for ever. */
    @Test
    void whatFailsOtherwiseIsNoRefusal() {
        isSentAnd(REFUSED);
        now.addAndGet(SECOND);
        isSentAnd(Status.UNAVAILABLE);
        isSentAnd(Status.UNAVAILABLE);
        isSentAnd(REFUSED);
        now.addAndGet(SECOND);
        logIn();
        sent.clear();
        isNotSent();
        now.addAndGet(SECOND);
        isSentAnd(Status.OK);
    }
}
