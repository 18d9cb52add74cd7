package io.belay.shop;

import java.io.IOException;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Stops this node when its standard input ends, which the system closes with the process that started it, however that
 * died: no node stays behind.
 */
@Component
class ParentWatch {
    private final ShopSettings settings;

    ParentWatch(ShopSettings settings) {
        this.settings = settings;
    }

    @EventListener
    void started(ApplicationStartedEvent event) {
        if (settings.stopWithParent()) {
            Thread watch = new Thread(ParentWatch::waitForEnd, "parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
    }

    private static void waitForEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said here; only the end counts.
            }
        } catch (IOException e) {
            // An input that cannot be read has ended, too.
        }
        System.exit(0);
    }
}
