package io.belay.shop;

import io.belay.Belay;
import io.belay.shop.sale.Till;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the selling before the web server waits for its requests to end: whoever waits for the lock is then told to try
 * elsewhere, at once.
 */
final class Closing implements SmartLifecycle {
    private final Till till;
    private final Belay belay;
    private volatile boolean running;

    Closing(Till till, Belay belay) {
        this.till = till;
        this.belay = belay;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        till.close();
        belay.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the phase that is stopped first of all. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
