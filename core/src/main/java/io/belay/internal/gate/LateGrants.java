package io.belay.internal.gate;

import io.belay.LockStatistics.WaitEnd;
import io.belay.StoreUnavailableException;
import io.belay.UnusableStoreException;
import io.belay.internal.claim.Engine;
import io.belay.internal.time.BackOff;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The grants in a row that were over before anybody could have the lock, as the way from the store took longer than the
 * lease, or the store or this process stood still. The claim is entered again after a pause that doubles, so that nobody
 * asks at full speed for what cannot be had. Guarded by the gate's lock.
 */
final class LateGrants extends Timers.Timer {
    private static final BackOff PAUSE = new BackOff(1_000_000_000);

    /** With so many in a row, none of which came too late for a request, it is the lease that is too short. */
    private static final int HOPELESS = 10;

    private final Engine engine;
    private final String name;
    private final StepLock steps;
    private volatile int count;
    private int onTheWay;
    private long took;
    private long lease;
    private long pausedUntil;

    LateGrants(Engine engine, String name, StepLock steps) {
        this.engine = engine;
        this.name = name;
        this.steps = steps;
    }

    /** Notes one whose request was sent so many nanoseconds ago; the lease is in nanoseconds as well. */
    void came(long way, long granted, long now) {
        took = way;
        lease = granted;
        boolean isWay = way > granted && way <= engine.requestTimeoutNanos();
        onTheWay = isWay ? onTheWay + 1 : 0;
        int before = count;
        pausedUntil = now + PAUSE.after(before);
        count = before + 1;
        engine.timers().schedule(this, pausedUntil);
        String text = text();
        steps.later(() -> engine.events().warn("late grant", name, text));
    }

    /** Notes a grant that came in time. */
    void end() {
        count = 0;
        onTheWay = 0;
    }

    /** Returns whether the last grant came too late; may be asked by any thread. */
    boolean any() {
        return count > 0;
    }

    /** Returns whether nobody is to ask again yet. */
    boolean pauses() {
        return any() && engine.time().nanos() - pausedUntil < 0;
    }

    /** Returns how all waits for the lock end, as they are in vain; null if they may not be. */
    @Nullable
    Outcome hopeless() {
        if (onTheWay < HOPELESS) {
            return null;
        }
        String text = text();
        return Outcome.failure(WaitEnd.ERROR, () -> new UnusableStoreException(text, null));
    }

    /** Returns how a wait ends whose time is over. */
    Outcome timedOut() {
        if (count == 0) {
            return Outcome.NOT_HAD;
        }
        String text = text();
        return Outcome.failure(WaitEnd.ERROR, () -> new StoreUnavailableException(text, null));
    }

    private String text() {
        return "The lock '" + name + "' was granted, but its lease of "
                + Duration.ofNanos(lease).toMillis()
                + " ms was over before the grant was here: "
                + (took > lease
                        ? "the way to the store and back took "
                                + Duration.ofNanos(took).toMillis()
                                + " ms. Take a longer lease, or find out what stands still"
                        : "on the way this machine stood still, or its clock was put ahead");
    }

    @Override
    public void fire(long now) {
        steps.run(() -> {}); // whose end enters the claim again
    }
}
