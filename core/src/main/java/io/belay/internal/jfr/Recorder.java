package io.belay.internal.jfr;

import io.belay.LeaseLostException;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The recording of waits, holds, losses and outages by Java Flight Recorder. A runtime without the module {@code jdk.jfr}
 * records nothing; while nobody records, an event is not even made.
 */
public final class Recorder {
    private static final boolean THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Recorder() {}

    /** An event that has begun. */
    public interface Begun {
        /** Ends the event, which is recorded if it took long enough. */
        void end(String lock, String thread, long token, String outcome);
    }

    /** Begins a wait; null if nobody records any. */
    public static @Nullable Begun beginWait() {
        return THERE ? LockEvent.begun(WaitEvent.ANY, WaitEvent::new) : null;
    }

    /** Begins a hold; null if nobody records any. */
    public static @Nullable Begun beginHold() {
        return THERE ? LockEvent.begun(HoldEvent.ANY, HoldEvent::new) : null;
    }

    public static void lost(LeaseLostException loss) {
        if (THERE) {
            LostEvent event = new LostEvent();
            event.lock = loss.name();
            event.token = loss.token();
            event.reason = loss.reason().orElseThrow().name();
            event.forcedBy = loss.forcedBy().orElse(null);
            event.held = loss.held().toNanos();
            event.commit();
        }
    }

    /** Records a deadlock, in which a thread waits for that lock. */
    public static void deadlock(String lock, String thread, String ring) {
        if (THERE) {
            DeadlockEvent event = new DeadlockEvent();
            event.lock = lock;
            event.waiter = thread;
            event.ring = ring;
            event.commit();
        }
    }

    /** Records that the store failed for so many nanoseconds. */
    public static void outage(String reason, long nanos) {
        if (THERE) {
            StoreOutageEvent event = new StoreOutageEvent();
            event.reason = reason;
            event.length = nanos;
            event.commit();
        }
    }

    /** The fields of an event about one lock that begins and ends. */
    private abstract static class LockEvent extends Event implements Begun {
        @Label("Lock")
        @Nullable
        String lock;

        @Label("Token")
        long token;

        @Label("Outcome")
        @Nullable
        String outcome;

        /** Begins an event; null if nobody records those of its kind. */
        static @Nullable Begun begun(LockEvent any, Supplier<LockEvent> maker) {
            if (!any.isEnabled()) {
                return null;
            }
            LockEvent event = maker.get();
            event.begin();
            return event;
        }

        @Override
        public final void end(String itsLock, String holder, long itsToken, String itsOutcome) {
            end();
            if (shouldCommit()) {
                lock = itsLock;
                token = itsToken;
                outcome = itsOutcome;
                show(holder);
                commit();
            }
        }

        /** Takes the thread that acquired the lock, or is to have it. */
        void show(String holder) {}
    }

    /** A hold of a lock; recorded by the thread that ends it. */
    @Name("belay.Hold")
    @Label("Lock Hold")
    @Category("Belay")
    @Description("A distributed lock was held")
    @Threshold("10 ms")
    @StackTrace(false)
    private static final class HoldEvent extends LockEvent {
        static final LockEvent ANY = new HoldEvent();

        @Label("Holder")
        @Description("The thread that acquired the lock")
        private @Nullable String holder;

        @Override
        void show(String itsHolder) {
            holder = itsHolder;
        }
    }

    /** A thread's wait for a lock; recorded by that thread. */
    @Name("belay.Wait")
    @Label("Lock Wait")
    @Category("Belay")
    @Description("A thread waited for a distributed lock")
    @Threshold("10 ms")
    @StackTrace(false)
    private static final class WaitEvent extends LockEvent {
        static final LockEvent ANY = new WaitEvent();
    }

    /** The loss of a lease. */
    @Name("belay.Lost")
    @Label("Lease Lost")
    @Category("Belay")
    @Description("A lease that somebody relied on was lost")
    private static final class LostEvent extends Event {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Token")
        private long token;

        @Label("Reason")
        private @Nullable String reason;

        @Label("Forced By")
        private @Nullable String forcedBy;

        @Label("Held")
        @Timespan
        private long held;
    }

    /** A deadlock that was found. */
    @Name("belay.Deadlock")
    @Label("Lock Deadlock")
    @Category("Belay")
    @Description("Threads wait for each other's distributed locks")
    @StackTrace(false)
    private static final class DeadlockEvent extends Event {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Thread")
        private @Nullable String waiter;

        @Label("Ring")
        private @Nullable String ring;
    }

    /** A time in which the store failed; recorded when it begins, with no length, and when it is over. */
    @Name("belay.StoreOutage")
    @Label("Store Outage")
    @Category("Belay")
    @Description("The store of a client failed")
    private static final class StoreOutageEvent extends Event {
        @Label("Reason")
        private @Nullable String reason;

        @Label("Length")
        @Timespan
        private long length;
    }
}
