package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A task that is measured with several libraries in turn. */
public interface Case {
    /** Returns the case's name on the command line and in tables. */
    String name();

    /** Returns what the workers do, in one line. */
    String description();

    /** Returns what p50 and p99 are the times of; empty if the operations are not timed one by one. */
    String timed();

    /** Returns the names of the libraries that can do the task, on whichever store they are, Belay's settings first. */
    List<String> libraries();

    /** Returns the stores on which the case is measured. */
    default Set<Store> stores() {
        return Store.SERVERS;
    }

    /** Makes the work that a worker process does. */
    Workload work(WorkContext context);

    /** Returns how many worker processes there are. */
    default int processes() {
        return 1;
    }

    /** Returns whether all processes want the same, so that the share of each is worth knowing. */
    default boolean contended() {
        return false;
    }

    /** Returns whether one round says all. */
    default boolean once() {
        return false;
    }

    /** Returns how long a round measures, given the time that the user asked for. */
    default Duration time(Duration asked) {
        return asked;
    }

    /** Returns whether to wait until the server has forgotten all keys, and tell how long that took. */
    default boolean waitsForKeys() {
        return false;
    }

    /** Returns the oldest Java that the case runs on. */
    default int java() {
        return 17;
    }
}
