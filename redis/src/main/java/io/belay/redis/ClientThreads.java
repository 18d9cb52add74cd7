package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one client, which go on for others when that client has ended. So whatever the client has begun on
 * them ends with the client: its connections, those that it is making, and the tasks that it has put off.
 */
final class ClientThreads {
    private static final Log LOG = Log.of(LogName.STORE);
    private static final long TIMEOUT_SECONDS = 2;

    private final ClientResources resources;
    /** The threads that the clients of this process have in common; null if the application lends its own. */
    private final @Nullable SharedResources shared;

    private final Set<Future<?>> tasks = ConcurrentHashMap.newKeySet();
    private final Set<Silence> attempts = ConcurrentHashMap.newKeySet();
    private final Set<CompletableFuture<?>> closings = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ClientThreads(ClientResources resources, @Nullable SharedResources shared) {
        this.resources = resources;
        this.shared = shared;
    }

    /** Takes a share of the threads that the clients of this process have in common. */
    static ClientThreads shared() {
        SharedResources shared = SharedResources.acquire();
        return new ClientThreads(shared.resources(), shared);
    }

    /** Uses the application's threads, which stay as they are. */
    static ClientThreads lent(ClientResources lent) {
        return new ClientThreads(Batching.over(lent), null);
    }

    ClientResources resources() {
        return resources;
    }

    /** Runs a task later, unless the client is closed by then, on a thread that may not be blocked for long. */
    void later(Runnable task, long millis) {
        if (!closed.get()) {
            keep(resources.eventExecutorGroup().schedule(task, millis, TimeUnit.MILLISECONDS));
        }
    }

    /**
     * Runs a task again and again, with pauses, on a thread that may not be blocked for long. One that throws is run again all the
     * same: want of memory may be over by then.
     *
     * @return ends that before the client is closed; null if it is closed
     */
    @Nullable
    Future<?> every(Runnable task, long millis) {
        Runnable whole = () -> {
            try {
                task.run();
            } catch (Throwable e) { // for which Netty would end it
                LOG.error(
                        "A task of a Redis client failed, and is run again",
                        e); // also where there is no memory for the line
            }
        };
        return closed.get()
                ? null
                : keep(resources
                        .eventExecutorGroup()
                        .scheduleWithFixedDelay(whole, millis, millis, TimeUnit.MILLISECONDS));
    }

    private Future<?> keep(Future<?> scheduled) {
        tasks.add(scheduled);
        scheduled.addListener(done -> tasks.remove(scheduled));
        if (closed.get()) {
            scheduled.cancel(false);
        }
        return scheduled;
    }

    /** Limits an attempt to connect, which fails at once when the client is closed. */
    Silence silence(Failures failures, Duration longest) {
        Silence attempt = new Silence(failures, longest);
        attempts.add(attempt);
        attempt.whenOver(() -> attempts.remove(attempt));
        if (closed.get()) {
            attempt.abandon();
        }
        return attempt;
    }

    /** Closes one connection, unless it is closed with the client: Lettuce warns of one that is closed by both. */
    CompletableFuture<?> close(StatefulConnection<?, ?> connection) {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        closings.add(closing);
        boolean here = !closed.get() && connection.isOpen();
        return (here ? connection.closeAsync() : CompletableFuture.<Void>completedFuture(null))
                .handle((none, error) -> {
                    closings.remove(closing);
                    return closing.complete(null);
                });
    }

    /** Closes all connections of a client, and gives the threads back. */
    void close(RedisClient client) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            tasks.forEach(task -> task.cancel(false));
            attempts.forEach(Silence::abandon);
            CompletableFuture<Void> ended = CompletableFuture.allOf(closings.toArray(CompletableFuture<?>[]::new))
                    .completeOnTimeout(null, TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .thenCompose(none -> client.shutdownAsync(0, TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .completeOnTimeout(null, TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (shared == null || !shared.isCurrentThread()) {
                ended.join(); // whether or not the thread is interrupted
            }
        } finally {
            giveBack();
        }
    }

    /** Gives the threads back, when the client has ended or if there was none to use them. */
    void giveBack() {
        if (shared != null) {
            shared.release();
        } else {
            resources
                    .shutdown(0, TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }
}
