package io.belay.support;

import java.util.Objects;

/** Threads of Belay's own, which keep no program running. */
public final class DaemonThread {
    private DaemonThread() {}

    /**
     * Starts one, which inherits nothing: it would keep the thread-locals and the class loader of whoever happened to start it, for
     * all that it runs.
     *
     * @throws Error if the machine has no thread left
     */
    public static Thread start(String name, Runnable body) {
        Thread thread = of(name, body);
        thread.start();
        return thread;
    }

    /** Makes one that inherits nothing, and leaves its start to the caller. */
    public static Thread of(String name, Runnable body) {
        Objects.requireNonNull(name, "name");
        Thread thread = new Thread(null, Objects.requireNonNull(body, "body"), name, 0, false);
        thread.setDaemon(true);
        // Else, by version, the starter's or the system's.
        thread.setContextClassLoader(DaemonThread.class.getClassLoader());
        return thread;
    }
}
