package io.belay.bench.library;

/** A way to lock, with the settings in which it runs. */
public interface Library {
    /** As it is named on the command line and in tables. */
    String name();

    /** Where its locks are: {@code redis}, {@code postgresql}, {@code h2}; empty if they are in the process alone. */
    String store();

    /** How it is set up and why, in a sentence for the report. */
    String settings();

    /** Connects. Blocks until locks can be taken. */
    Locks open(Site site) throws Exception;

    /** Whether it is Belay, in one of its settings, so that the others are compared with it. */
    default boolean ours() {
        return name().startsWith("belay");
    }
}
