package io.belay.redis;

import io.belay.spi.StoreException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.PromiseNotifier;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long a server may be silent while a connection to it is made. The time that this process takes itself
 * does not count: its first connection loads a lot of code, for which a busy machine takes its time.
 *
 * <p>So this class does not measure time but counts it, in looks: the connection's own thread looks now and then, from
 * when it has asked for the connection, and a look counts if nothing has come since the last one and nothing is being
 * worked on. While the thread is held up, by whatever, it does not look.
 */
final class Silence {
    /** The number of looks that the limit is made of. */
    static final int LOOKS = 100;

    /** The time beyond the limit after which the attempt ends, whatever has held it up. */
    static final Duration WORK = Duration.ofMinutes(1);

    private static final AttributeKey<Silence> KEY = AttributeKey.valueOf(Silence.class, "silence");

    /** The attempt for which the thread asks for a connection: Lettuce sets the connection up inside that call. */
    private static final ThreadLocal<@Nullable Silence> ASKING = new ThreadLocal<>();

    private final Failures failures;
    private final Duration longest;
    private final LongSupplier clock;
    /** The end of the attempt: fails when it has been too long; completes when there is nothing more to wait for. */
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private final Queue<Channel> channels = new ConcurrentLinkedQueue<>();
    /** The addresses that were tried in vain, with why that was. */
    private final Map<SocketAddress, Throwable> failed = new ConcurrentHashMap<>();

    private final AtomicInteger working = new AtomicInteger();
    private volatile boolean heard;
    private volatile boolean asked;
    /** The watch of the connection asked for last, which looks for all of them; null while another is set up. */
    private volatile @Nullable Watch last;

    Silence(Failures failures, Duration longest) {
        this(failures, longest, System::nanoTime);
    }

    Silence(Failures failures, Duration longest, LongSupplier clock) {
        this.failures = failures;
        this.longest = longest;
        this.clock = clock;
        end.orTimeout(longest.plus(WORK).toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a task when there is nothing more to wait for. */
    void whenOver(Runnable task) {
        end.whenComplete((none, error) -> task.run());
    }

    /** Lets the attempt fail now, since its client is closed. */
    void abandon() {
        end.completeExceptionally(StoreException.unusable("the client was closed", null));
    }

    /** Asks for a connection, as a part of this attempt, by one address of the host after the other. */
    <T> CompletableFuture<T> over(Supplier<? extends CompletionStage<T>> connection) {
        int before = failed.size();
        CompletableFuture<T> made = ask(connection);
        return made.handle((result, error) -> error == null || failed.size() == before || end.isDone())
                .thenCompose(last -> last ? made : over(connection));
    }

    private <T> CompletableFuture<T> ask(Supplier<? extends CompletionStage<T>> connection) {
        last = null; // what is set up now may take long
        ASKING.set(this);
        try {
            return connection.get().toCompletableFuture();
        } finally {
            ASKING.remove();
        }
    }

    /** Returns what is made of the connections, unless it takes too long: then they are closed. */
    <T> CompletableFuture<T> limit(CompletableFuture<T> made, Consumer<T> tooLate) {
        CompletableFuture<T> inTime = new CompletableFuture<>();
        end.whenComplete((none, error) -> {
            if (error != null) {
                inTime.completeExceptionally(
                        error instanceof TimeoutException ? failures.unfinished(longest.plus(WORK), asked) : error);
                channels.forEach(Channel::close);
            }
        });
        made.whenComplete((result, error) -> {
            end.complete(null);
            if (error != null) {
                inTime.completeExceptionally(error);
            } else if (!inTime.complete(result)) {
                tooLate.accept(result);
            }
        });
        return inTime;
    }

    /** Marks a connection that is about to be made with the attempt that asks for it. */
    static void prepare(Bootstrap bootstrap) {
        Silence asking = ASKING.get();
        if (asking != null) {
            bootstrap.attr(KEY, asking);
        }
    }

    /** Watches a connection that is set up, as the first that hears what comes. */
    static void watch(Channel channel) {
        Silence asking = channel.attr(KEY).getAndSet(null);
        if (asking != null) {
            asking.join(channel);
        }
    }

    void join(Channel channel) {
        channels.add(channel);
        channel.pipeline().addFirst(new Watch());
        if (end.isCompletedExceptionally()) {
            channel.close(); // it came too late to be closed with the others
        }
    }

    private final class Watch extends ChannelDuplexHandler {
        private final long pause = Math.max(1, longest.toNanos() / LOOKS);
        private long begun;
        private int quiet;

        @Override
        public void connect(ChannelHandlerContext ctx, SocketAddress to, SocketAddress from, ChannelPromise promise) {
            ChannelPromise own = ctx.newPromise();
            own.addListener(done -> connected(to, done)); // before anybody else is told
            PromiseNotifier.cascade(own, promise);
            Throwable before = failed.get(to);
            if (before == null) {
                ctx.connect(to, from, own);
            } else {
                own.setFailure(before); // all have been tried
            }
            begun = clock.getAsLong();
            asked = true;
            last = this;
            lookLater(ctx, to);
        }

        private void connected(SocketAddress to, Future<?> done) {
            if (done.isSuccess()) {
                DeadAddresses.remove(to);
            } else if (done.cause() instanceof SocketException && failed.putIfAbsent(to, done.cause()) == null) {
                DeadAddresses.add(to);
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            work(ctx, ctx::fireChannelActive);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            work(ctx, () -> ctx.fireChannelRead(message));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            work(ctx, ctx::fireChannelReadComplete);
        }

        private void work(ChannelHandlerContext ctx, Runnable inside) {
            if (end.isDone()) {
                ctx.pipeline().remove(this);
            }
            working.incrementAndGet();
            inside.run();
            heard = true;
            working.decrementAndGet();
        }

        private void lookLater(ChannelHandlerContext ctx, SocketAddress to) {
            ctx.executor().schedule(() -> look(ctx, to), pause, TimeUnit.NANOSECONDS);
        }

        private void look(ChannelHandlerContext ctx, SocketAddress to) {
            if (end.isDone() || last != this) {
                return;
            }
            if (!heard && working.get() == 0) {
                quiet++;
            }
            heard = false;
            if (quiet < LOOKS) {
                lookLater(ctx, to);
            } else {
                long heldUp = clock.getAsLong() - begun - longest.toNanos();
                end.completeExceptionally(failures.silent(longest, Duration.ofNanos(Math.max(0, heldUp))));
                DeadAddresses.add(to);
            }
        }
    }
}
