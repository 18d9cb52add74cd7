package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Something that is measured with several libraries in turn. */
public interface Case {
    /** As it is named on the command line and in tables. */
    String name();

    /** What is done, in one line. */
    String description();

    /** What p50 and p99 are the times of; empty if the operations are not timed one by one. */
    String timed();

    /** The names of the libraries that can do it, on whichever store they are, Belay's settings first. */
    List<String> libraries();

    /** The stores on which it is measured. */
    default Set<Store> stores() {
        return EnumSet.allOf(Store.class);
    }

    /** What each worker process does. */
    Workload work(WorkContext context);

    /** How many worker processes there are. */
    default int processes() {
        return 1;
    }

    /** Whether all processes want the same, so that the share of each is worth knowing. */
    default boolean contended() {
        return false;
    }

    /** Whether one round says all. */
    default boolean once() {
        return false;
    }

    /** How long a round measures. */
    default Duration time(Duration asked) {
        return asked;
    }

    /** Whether to wait until the server has forgotten all keys, and tell how long that took. */
    default boolean waitsForKeys() {
        return false;
    }

    /** The oldest Java that it runs on. */
    default int java() {
        return 17;
    }
}
