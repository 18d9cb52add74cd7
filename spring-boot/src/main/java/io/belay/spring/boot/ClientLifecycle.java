package io.belay.spring.boot;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * The life of the client beside that of its application context. Where the context is stopped, or paused, to be started again (for
 * a checkpoint of the process, or by tests that change to another context), the client disconnects, and connects again at the
 * start. Where the context is closed, those who hold a lock are waited for, while all that their work needs is still there; the
 * client itself is closed when it is destroyed, as some use locks until they are. Either way holders have the time of the phase.
 */
final class ClientLifecycle implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent> {
    /**
     * The phase below those in which what uses locks ends: web servers, containers and, in the last, {@code MAX_VALUE / 2}, the
     * endpoints of Spring Integration. Above that of connections, which is 0.
     */
    private static final int AFTER_THE_ENDPOINTS = Integer.MAX_VALUE / 2 - 1024;

    private final ConnectedClient client;
    private final Duration longest;
    private final ConfigurableApplicationContext context;
    private volatile boolean running;
    /** True once the context has started: one that is stopped before is ended, as a port is taken, for instance. */
    private volatile boolean refreshed;

    ClientLifecycle(ConnectedClient client, Duration longest, ConfigurableApplicationContext context) {
        this.client = client;
        this.longest = longest;
        this.context = context;
    }

    /** Returns whether a bean is to end before the client: it is an executor, or is stopped before the client is. */
    static boolean isBefore(@Nullable Object bean) {
        return bean instanceof Executor
                || bean instanceof SmartLifecycle lifecycle && lifecycle.getPhase() > AFTER_THE_ENDPOINTS;
    }

    @Override
    public void start() {
        client.client().resume(); // at the first start it is not paused
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context.isClosed() || !refreshed) {
            client.letHoldersFinish(longest);
        } else {
            client.pause(longest);
        }
    }

    @Override
    public void stop(Runnable callback) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run(); // else the shutdown waits for the phase's whole time
                    }
                },
                "belay-drain");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        refreshed |= event.getApplicationContext() == context;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return AFTER_THE_ENDPOINTS;
    }
}
