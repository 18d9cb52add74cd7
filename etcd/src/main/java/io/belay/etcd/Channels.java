package io.belay.etcd;

import io.belay.node.DelayedTasks;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Carries all calls of a client, in place of jetcd's channel. gRPC learns by pings that nothing gets through on a connection
 * any more, and servers allow one ping in ten seconds: until then it would send request after request into it. Here all
 * members are connected to anew where one was asked and nothing at all has come from it for as long as a request may take;
 * its own calls fail then, and those to the others go on where they are. Where none can be reached they are tried again and
 * again, which gRPC alone would do after longer and longer pauses. Thread-safe.
 */
final class Channels implements ClientInterceptor, AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The one call that goes on whenever it is connected. */
    private static final String WATCH = "etcdserverpb.Watch/Watch";

    /** The least time from one attempt to reach any member to the next; gRPC's own pauses grow to two minutes. */
    private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(500);

    /** The pause before members are asked again of which none knew a leader: an election takes a second or two. */
    private static final long PAUSE_MILLIS = 100;

    /** The longest time in which a channel's sockets are closed, in seconds. */
    private static final long CLOSING = 2;

    private final Supplier<ManagedChannel> maker;
    private final Duration timeout;
    private final LongSupplier nanos;
    private final DelayedTasks overdue;
    private final DelayedTasks pauses = new DelayedTasks("belay-etcd-no-leader", PAUSE_MILLIS);
    private final SilenceLines lines;
    /** The calls that are sent again after a pause. */
    private final Set<Runnable> paused = ConcurrentHashMap.newKeySet();
    /** When it was tried last to reach members of which none could be reached. */
    private final AtomicLong tried;

    private volatile Peers present;
    /** Those that were replaced, and end with their last call. */
    private final Set<Peers> former = ConcurrentHashMap.newKeySet();

    /** True once any member was reached: the very first answer may take longer than others. */
    private volatile boolean reached;

    private volatile boolean closed;

    Channels(Supplier<ManagedChannel> maker, Duration timeout, LongSupplier nanos) {
        this.maker = maker;
        this.timeout = timeout;
        this.nanos = nanos;
        tried = new AtomicLong(nanos.getAsLong() - AGAIN);
        overdue = new DelayedTasks("belay-etcd-silence", timeout.toMillis());
        lines = new SilenceLines(timeout, nanos);
        present = connect();
    }

    private Peers connect() {
        return new Peers(maker.get(), this::asked, this::waits);
    }

    private void asked() {
        reached = true;
        overdue.run(this::replaceIfSilent);
    }

    /** A stopped server takes a connection and does not greet: what waits for that would all be sent when it goes on. */
    private void waits(PeerCall<?, ?> call) {
        if (reached) {
            overdue.run(() -> {
                if (call.failIfWaiting()) {
                    replaceIfUngreeted(call.peers());
                }
            });
        }
    }

    /** A connection that was taken as its network was cut is greeted never, and gRPC waits for that without a limit. */
    private void replaceIfUngreeted(Peers before) {
        if (present == before && before.channel().getState(false) == ConnectivityState.CONNECTING) {
            replace(before);
            before.channel().shutdownNow(); // also what watches there: that is asked for anew
        }
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        tryAgain(present.channel());
        Duration longest = reached ? timeout : Connection.first(timeout);
        long latest = nanos.getAsLong() + longest.toNanos();
        return method.getType() == MethodDescriptor.MethodType.UNARY
                ? new LeaderCall<>(() -> call(method, options), again -> runLater(again, latest))
                : call(method, options);
    }

    private <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method, CallOptions options) {
        Peers now = present;
        // Replies are handled by the thread that reads them: nothing that is done with them blocks.
        return new PeerCall<>(
                now,
                now.channel().newCall(method, options.withExecutor(Runnable::run)),
                !method.getFullMethodName().equals(WATCH));
    }

    private boolean runLater(Runnable again, long latest) {
        if (nanos.getAsLong() - latest >= 0) {
            return false;
        }
        paused.add(again);
        pauses.run(() -> {
            if (paused.remove(again)) {
                again.run();
            }
        });
        return !closed || !paused.remove(again);
    }

    /** Has all members tried again if none can be reached. The call that comes now fails as those before it. */
    private void tryAgain(ManagedChannel channel) {
        if (channel.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
            return;
        }
        long now = nanos.getAsLong();
        long last = tried.get();
        if (now - last >= AGAIN && tried.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    private void replaceIfSilent() {
        // What was asked there before the replacement, and is not connected to anew.
        former.forEach(peers -> peers.fail(peers.silent(timeout.toNanos())));
        Peers before = present;
        Set<SocketAddress> silent = before.silent(timeout.toNanos());
        if (silent.isEmpty()) {
            return;
        }
        replace(before);
        before.channel().shutdown();
        former.forEach(peers -> peers.fail(silent)); // also what was watched before they were connected to anew
        lines.next(silent).ifPresent(line -> LOG.info("{}", line));
    }

    private void replace(Peers before) {
        Peers fresh = connect();
        present = fresh;
        if (closed) {
            fresh.channel().shutdownNow();
        }
        former.removeIf(peers -> peers.channel().isTerminated());
        former.add(before);
    }

    @Override
    public void close() {
        closed = true;
        overdue.close();
        pauses.close();
        present.channel().shutdownNow();
        former.forEach(peers -> peers.channel().shutdownNow());
        for (Runnable again : paused) {
            if (paused.remove(again)) {
                again.run(); // which fails at once, and tells who waits for the answer
            }
        }
        awaitEnd(present);
        former.forEach(Channels::awaitEnd);
    }

    /** Waits until its sockets are closed, which happens on threads of its own; an interrupt ends the wait, and is kept. */
    private static void awaitEnd(Peers peers) {
        try {
            var unused = peers.channel().awaitTermination(CLOSING, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
