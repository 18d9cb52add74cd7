package io.belay.shop;

import java.io.IOException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;

/**
 * Stops this node when its standard input ends, which the system closes with the process that started it, however that
 * died: no node stays behind. One that has not started yet may be waiting for its ledger or its store, and Spring would wait for
 * that before it ends: it has nothing to give back, and is halted.
 */
final class ParentWatch implements ApplicationListener<SpringApplicationEvent> {
    private volatile boolean started;

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (event instanceof ApplicationEnvironmentPreparedEvent prepared
                && Binder.get(prepared.getEnvironment())
                        .bind("belay.shop.stop-with-parent", Boolean.class)
                        .orElse(false)) {
            Thread watch = new Thread(this::waitForEnd, "parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        started |= event instanceof ApplicationStartedEvent;
    }

    private void waitForEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said here; only the end counts.
            }
        } catch (IOException e) {
            // An input that cannot be read has ended, too.
        }
        if (started) {
            System.exit(0);
        } else {
            Runtime.getRuntime().halt(0);
        }
    }
}
