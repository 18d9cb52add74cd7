package io.belay.bench.library;

/** A way to lock, with the settings in which it runs. */
public interface Library {
    /** Returns the library's name on the command line and in tables. */
    String name();

    /** Returns the name by which cases list the library, and by which a worker process finds it. */
    default String listedName() {
        return name();
    }

    /** Returns the part of a lock's name that tells the library's locks from those of others. */
    default String lockName() {
        return name();
    }

    /** Returns the class path of the library's worker processes. */
    default String classPath() {
        return System.getProperty("java.class.path");
    }

    /** Returns where the locks are: {@code redis}, {@code postgresql}, {@code h2}; empty if in the process alone. */
    String store();

    /** Returns how the library is set up and why, in a sentence for the report. */
    String settings();

    /** Connects, and blocks until locks can be taken. */
    Locks open(Site site) throws Exception;

    /** Returns whether this is Belay of this build, in one of its settings, with which the others are compared. */
    default boolean ours() {
        return name().startsWith("belay");
    }

    /** Returns whether this is no Belay at all. */
    default boolean isPeer() {
        return !listedName().startsWith("belay");
    }
}
