package io.belay.redis;

import io.belay.support.Mutex;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce's threads and timers, shared by all clients of this process to which the application lends none. The first
 * client makes them, each is counted, and the last one ends them. A client that comes after that gets a fresh set,
 * also while the old one is still ending.
 */
final class SharedResources {
    private static final long TIMEOUT_SECONDS = 2;
    private static final Mutex LOCK = new Mutex();

    /** The set that new clients share; null while there is none. Guarded by LOCK. */
    private static @Nullable SharedResources current;

    private final ClientResources resources;
    /**
     * The event loops, which Lettuce ends with their last user. Allocated here as well, they live as long as the set.
     */
    private final EventLoopGroup loops;
    /** The number of clients that use this set. Guarded by LOCK. */
    private int users;

    private SharedResources() {
        resources = Batching.resources();
        try {
            loops = resources.eventLoopGroupProvider().allocate(Transports.eventLoopGroupClass());
            // There may be none left when a connection is lost, which is made again on the next thread of each.
            executors().forEach(thread -> thread.execute(() -> {}));
        } catch (RuntimeException | Error e) { // such as for want of file descriptors, or of threads
            resources.shutdown(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
            throw e;
        }
    }

    /** Counts one more client. Each calls {@link #release} once. */
    static SharedResources acquire() {
        try (var held = LOCK.hold()) {
            SharedResources shared = current;
            if (shared == null) {
                shared = new SharedResources();
                current = shared;
            }
            shared.users++;
            return shared;
        }
    }

    ClientResources resources() {
        return resources;
    }

    /** Counts one client less, and ends the threads after the last one. */
    void release() {
        if (leave() == 0) {
            end();
        }
    }

    /** Returns how many clients are left. */
    private int leave() {
        try (var held = LOCK.hold()) {
            users--;
            if (users == 0) {
                current = null;
            }
            return users;
        }
    }

    private void end() {
        Resolvers.close(resources);
        Future<?> ended = resources.shutdown(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
        // Lettuce leaves them alone where a client failed to give them back.
        Future<?> loopsEnded = loops.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!isCurrentThread()) {
            ended.awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            loopsEnded.awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Returns whether the caller is one of the shared threads, which must not wait for one another. */
    boolean isCurrentThread() {
        return executors().anyMatch(EventExecutor::inEventLoop);
    }

    private Stream<EventExecutor> executors() {
        return Stream.concat(executors(loops), executors(resources.eventExecutorGroup()));
    }

    private static Stream<EventExecutor> executors(EventExecutorGroup group) {
        return StreamSupport.stream(group.spliterator(), false);
    }
}
