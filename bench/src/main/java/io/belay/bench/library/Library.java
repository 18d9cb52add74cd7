package io.belay.bench.library;

/** A way to lock, with the settings in which it runs. */
public interface Library {
    /** As it is named on the command line and in tables. */
    String name();

    /** The name by which cases list it, and by which a worker process finds it. */
    default String listedName() {
        return name();
    }

    /** What tells its locks from those of other libraries. */
    default String lockName() {
        return name();
    }

    /** The class path of its worker processes. */
    default String classPath() {
        return System.getProperty("java.class.path");
    }

    /** Where its locks are: {@code redis}, {@code postgresql}, {@code h2}; empty if they are in the process alone. */
    String store();

    /** How it is set up and why, in a sentence for the report. */
    String settings();

    /** Connects. Blocks until locks can be taken. */
    Locks open(Site site) throws Exception;

    /** Whether it is this build of Belay, in one of its settings, so that the others are compared with it. */
    default boolean ours() {
        return name().startsWith("belay");
    }

    /** Whether it is no Belay at all. */
    default boolean isPeer() {
        return !listedName().startsWith("belay");
    }
}
