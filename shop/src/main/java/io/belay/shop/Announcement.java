package io.belay.shop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Says on which port the node answers: who let the system choose it reads it from this line. */
@Component
class Announcement {
    private static final Logger log = LoggerFactory.getLogger(Announcement.class);

    private final ShopSettings settings;

    Announcement(ShopSettings settings) {
        this.settings = settings;
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        log.info(
                "{} is ready on port {}",
                settings.node(),
                event.getApplicationContext().getEnvironment().getProperty("local.server.port"));
    }
}
