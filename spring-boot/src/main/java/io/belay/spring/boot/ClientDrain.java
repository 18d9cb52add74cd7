package io.belay.spring.boot;

import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * The shutdown of the client, once the web server has answered its last request: nobody gets a new lock, and those who hold
 * one have the time of the shutdown's phase to give it back.
 */
final class ClientDrain implements SmartLifecycle {
    /** The phase below those in which Spring Boot's web servers end. */
    private static final int AFTER_THE_WEB_SERVER = DEFAULT_PHASE - 4096;

    private final ConnectedClient client;
    private final Duration longest;
    private volatile boolean running;

    ClientDrain(ConnectedClient client, Duration longest) {
        this.client = client;
        this.longest = longest;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        client.drain(longest);
    }

    @Override
    public void stop(Runnable callback) {
        Thread thread = new Thread(
                () -> {
                    stop();
                    callback.run();
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
        return AFTER_THE_WEB_SERVER;
    }
}
