package io.belay.spring.boot;

import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * The life of the client beside that of its application context. Where the context is stopped, or paused, to be started again (for
 * a checkpoint of the process, or by tests that change to another context), the client disconnects, and connects again at the
 * start. Where the context is closed, the client is: once the web server has answered its last request, and what brings messages
 * has been stopped, nobody gets a new lock. Either way those who hold one have the time of the phase to give it back.
 */
final class ClientLifecycle implements SmartLifecycle {
    /**
     * The phase below those in which what uses locks ends: web servers, containers and, in the last, {@code MAX_VALUE / 2}, the
     * endpoints of Spring Integration. Above that of connections, which is 0.
     */
    private static final int AFTER_THE_ENDPOINTS = Integer.MAX_VALUE / 2 - 1024;

    private final ConnectedClient client;
    private final Duration longest;
    private final ConfigurableApplicationContext context;
    private volatile boolean running;

    ClientLifecycle(ConnectedClient client, Duration longest, ConfigurableApplicationContext context) {
        this.client = client;
        this.longest = longest;
        this.context = context;
    }

    @Override
    public void start() {
        client.client().resume(); // at the first start it is not paused
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context.isClosed()) {
            client.client().close(longest);
        } else {
            client.client().pause(longest);
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
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return AFTER_THE_ENDPOINTS;
    }
}
