package io.belay.trials.jsr166.adapter;

import io.belay.Belay;
import io.belay.LockOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** The clients whose locks all adapters of this process use, and a name for each lock. */
public final class Adapters {
    private static final AtomicLong COUNT = new AtomicLong();
    private static volatile List<Belay> clients = List.of();
    private static volatile String prefix = "";
    private static volatile UnaryOperator<LockOptions> change = UnaryOperator.identity();
    private static volatile boolean clones;

    private Adapters() {}

    /**
     * Makes the adapters use clients of one store, which the threads that come to a lock take in turns.
     *
     * @param names what all names begin with, so that nobody meets what another process left
     */
    public static void use(List<Belay> several, String names) {
        clients = List.copyOf(several);
        prefix = names;
    }

    /** Changes the options of all locks that are made from now on. */
    public static void change(UnaryOperator<LockOptions> options) {
        change = options;
    }

    /** Lets locks be cloned, which gives locks of other names, for a test that wants clones to test their locking. */
    public static void allowClones() {
        clones = true;
    }

    static List<Belay> clients() {
        return clients;
    }

    static String freshName() {
        return prefix + COUNT.incrementAndGet();
    }

    static boolean areClonesAllowed() {
        return clones;
    }

    /** Translates the JDK's fairness, which is strict order here. */
    static LockOptions options(boolean fair) {
        return change.apply(LockOptions.defaults()).withStrictOrder(fair);
    }
}
