package io.belay.tck;

import io.belay.spi.StoreException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Threads of a client of a {@link SampleDatabase}, each with a connection when it needs one. */
final class SampleThreads implements AutoCloseable {
    private static final int THREADS = 3;
    private static final long PAUSE_MILLIS = 3;

    private final int port;
    private final Queue<SampleConnection> idle = new ConcurrentLinkedQueue<>();
    private final Queue<SampleConnection> all = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "sample-nodes");
        thread.setDaemon(true);
        return thread;
    });

    SampleThreads(int port) {
        this.port = port;
        idle.add(connect()); // so that whoever cannot be reached is not opened
    }

    private SampleConnection connect() {
        SampleConnection connection = new SampleConnection(port);
        all.add(connection);
        return connection;
    }

    <T> CompletionStage<T> run(Function<SampleConnection, T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            pool.execute(() -> {
                try {
                    result.complete(connected(work));
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(StoreException.unusable("the client was closed", e));
        }
        return result;
    }

    private <T> T connected(Function<SampleConnection, T> work) {
        SampleConnection taken = idle.poll();
        SampleConnection connection = taken == null ? connect() : taken;
        T result = work.apply(connection);
        idle.add(connection); // after a failure it is of no more use
        return result;
    }

    /** Looks now and then, until there is something to do or nobody wants it any more. */
    Poll poll(Function<SampleConnection, @Nullable Runnable> look) {
        Poll poll = new Poll(look);
        poll.again();
        return poll;
    }

    final class Poll implements Runnable {
        private final Function<SampleConnection, @Nullable Runnable> look;
        private volatile boolean cancelled;

        Poll(Function<SampleConnection, @Nullable Runnable> look) {
            this.look = look;
        }

        void cancel() {
            cancelled = true;
        }

        private void again() {
            try {
                pool.schedule(this, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // The client was closed.
            }
        }

        @Override
        public void run() {
            if (cancelled) {
                return;
            }
            @Nullable Runnable found = connected(look);
            if (found == null) {
                again();
            } else if (!cancelled) {
                found.run();
            }
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        all.forEach(SampleConnection::close);
    }
}
