package io.belay.support;

/**
 * A name under which Belay logs. Users set up their logs by these names, so they stay what they are, whichever class writes a
 * line; docs/operations.md lists what each tells.
 */
public enum LogName {
    /** The client itself: its threads, timers and callbacks, its pauses, and the log. */
    CLIENT("io.belay.client"),
    /** Leases: what was lost, held for long, or given back without an answer. */
    LEASE("io.belay.lease"),
    /** Waits for locks: slow and refused ones. */
    WAITS("io.belay.waits"),
    /** Elections: campaigns and listeners that failed. */
    LEADER("io.belay.leader"),
    /** The store: its outages and connections, of all modules of stores. */
    STORE("io.belay.store"),
    /** What was found wrong in how Belay is used with Spring. */
    SPRING("io.belay.spring");

    private final String text;

    LogName(String text) {
        this.text = text;
    }

    /** Returns the name, as slf4j takes it. */
    public String text() {
        return text;
    }
}
