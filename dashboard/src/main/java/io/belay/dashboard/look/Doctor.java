package io.belay.dashboard.look;

import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.support.UrlPasswords;
import java.util.List;
import java.util.Optional;

/** What endangers the locks of a store, looked at every ten minutes on a thread of its own, as that takes seconds. Thread-safe. */
final class Doctor {
    private static final long EVERY_NANOS = 600_000_000_000L;

    private final String url;
    private volatile Optional<List<Finding>> findings = Optional.empty();
    private volatile boolean busy;
    private long lastNanos = System.nanoTime() - EVERY_NANOS;

    Doctor(String url) {
        this.url = url;
    }

    /** Looks again if it is time to; does not block. For the thread that reads alone. */
    void tick() {
        if (busy || System.nanoTime() - lastNanos < EVERY_NANOS) {
            return;
        }
        lastNanos = System.nanoTime();
        Thread thread = new Thread(this::look, "dashboard-doctor");
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        busy = true; // and not before: there may be no thread to be had
        try {
            findings = Optional.of(BelayAdmin.examine(url));
        } catch (BelayException e) {
            findings = Optional.of(List.of(Finding.of(
                    Severity.NOTE,
                    "doctor",
                    "The store could not be examined: " + UrlPasswords.mask(String.valueOf(e.getMessage())),
                    "Run belay doctor for the same store.")));
        } finally {
            busy = false;
        }
    }

    /** Returns what was found; empty until it has looked once. */
    Optional<List<Finding>> findings() {
        return findings;
    }
}
