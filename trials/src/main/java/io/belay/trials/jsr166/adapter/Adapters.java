package io.belay.trials.jsr166.adapter;

import io.belay.Belay;
import io.belay.LockOptions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The client whose locks all adapters of this process use, and a name for each of them. */
public final class Adapters {
    private static final AtomicLong COUNT = new AtomicLong();
    private static volatile @Nullable Belay belay;
    private static volatile String prefix = "";
    private static volatile boolean clones;

    private Adapters() {}

    /**
     * Makes the adapters use a client.
     *
     * @param names what all names begin with, so that nobody meets what another process left
     */
    public static void use(Belay client, String names) {
        belay = client;
        prefix = names;
    }

    /** Lets locks be cloned, which gives locks of other names, for a test that wants clones to test their locking. */
    public static void allowClones() {
        clones = true;
    }

    static Belay belay() {
        return Objects.requireNonNull(belay, "no client yet");
    }

    static String freshName() {
        return prefix + COUNT.incrementAndGet();
    }

    static boolean areClonesAllowed() {
        return clones;
    }

    /** Translates the JDK's fairness, which is strict order here. */
    static LockOptions options(boolean fair) {
        return LockOptions.defaults().withStrictOrder(fair);
    }
}
