package io.belay.internal.machine;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants a lock, from the arrival to the release: first it waits, then it holds. A link of a {@link Row}. All
 * of it is the {@link Machine}'s but for what is volatile, which anybody may read.
 */
public abstract class Caller {
    static final long NEVER = Long.MAX_VALUE;

    public final Asks asks;

    /** Whether it wants the lock at once or not at all. */
    public final boolean ifFree;

    // The list in which it stands: of those who wait, or of those who hold, in one turn.
    private @Nullable Caller before;

    private @Nullable Caller after;

    @Nullable
    Row list;

    @Nullable
    Turn turn;

    /** When to look at it next: to ask the store, to end its wait, or to end its hold. */
    long lookAt = NEVER;

    /** Tells those apart that are due at once. */
    int lookOrder;

    /**
     * When its wait is over, and since it holds, when {@code maxHold} is. Not volatile: that would cost each hand-off a fence, and
     * whoever reads it without the lock has read what is volatile just before.
     */
    long limit = NEVER;

    // While it waits.

    /** Whether it could use the lock at once, so that nobody may come before it. */
    boolean awake;

    /** Whether it was told that the lock is free for it. */
    volatile boolean invited;

    /** The claim that was entered on its behalf, as it was the first to wait. */
    volatile @Nullable Stay entered;

    /** The claim whose answer it still waits for though its time is over; null before. */
    @Nullable
    Stay due;

    /** How its wait ends once a claim that nobody wants any more has left; null before. */
    @Nullable
    Failure leaving;

    /**
     * The instant at which it was queued; 0 for one that got the lock, or was refused it, without a wait. A thread that waits
     * for another one of its client sets it before it parks: to read the clock for each that need not park would cost more
     * than all other counting.
     */
    private volatile long queuedAt;

    volatile @Nullable Failure failure;

    // Since it holds.

    private volatile @Nullable Stay stay;
    private long token;
    long acquired;

    /** Until when the lock stays taken at least, also when this hold is over; never if it may be free with its end. */
    long keptUntil = NEVER;

    /** The number of moves of its end that were asked for. */
    int moves;

    /** What other clients are to know of the one who holds: that it waits; empty if nothing. */
    String note = "";

    /** Since when it is being given back; the hold is over then. */
    private long released;

    private volatile boolean isReleased;

    protected Caller(Asks asks, boolean ifFree) {
        this.asks = asks;
        this.ifFree = ifFree;
    }

    /** Makes a handle for what another holds, under another weight, from now on. */
    protected Caller(Caller former, long now) {
        asks = former.asks.after(now - former.acquired);
        ifFree = former.ifFree;
        stay = former.stay;
        token = former.token;
        acquired = now;
        limit = former.limit;
        keptUntil = former.keptUntil;
    }

    /** Returns the thread that asked, as it is shown to people. */
    public abstract String threadName();

    /**
     * Returns whether it is a thread, which may sleep: it notes by itself when it begins to wait for another one of its client,
     * and is woken up before it has the lock.
     */
    protected boolean isThread() {
        return false;
    }

    /** Returns the handle of the same hold with another weight. */
    protected abstract Caller successor(long now);

    // The wait.

    boolean isWaiting() {
        return list != null && turn != null && list == turn.queue;
    }

    /** Returns whether it was told that the lock is free for it, and has not come yet; called by its own thread. */
    public boolean isToCome() {
        return invited && !awake;
    }

    /** Returns whether the store may tell more in a moment: it has yet to say whether the claim waits behind others. */
    public boolean isAnswerDue() {
        Stay mine = entered;
        return isPending() && !invited && mine != null && mine.phase != Phase.WAITING;
    }

    /** Returns whether the wait goes on. */
    public boolean isPending() {
        return stay == null && failure == null;
    }

    public @Nullable Failure failure() {
        return failure;
    }

    /** Notes when the wait has begun, once. */
    public void waitsFrom(long now) {
        if (queuedAt == 0) {
            queuedAt = now;
        }
    }

    /** Returns for how long it has waited, in nanoseconds. */
    public long waited(long now) {
        long since = queuedAt;
        return since == 0 ? 0 : Math.max(0, now - since);
    }

    // The hold.

    void begin(Stay by, long itsToken, long now) {
        token = itsToken;
        acquired = now;
        limit = asks.maxHold == NEVER ? NEVER : now + asks.maxHold;
        keptUntil = asks.atLeast > 0 ? now + asks.atLeast : NEVER;
        if (by.isFixed && asks.atLeast > 0) { // whose end the store may be asked for late, or to keep for longer
            limit = earlier(now + by.spec.fixedLease() * 1000, limit);
        }
        stay = by; // last, as it is read first
    }

    /** Returns the claim by which it holds, or has held; null while it waits. */
    public @Nullable Stay stay() {
        return stay;
    }

    /** Returns the turn in which it holds; null if it does not. */
    @Nullable
    Turn holding() {
        Turn mine = turn;
        return mine != null && list == mine.holders ? mine : null;
    }

    public long token() {
        return token;
    }

    /** Returns since when it holds. */
    public long acquired() {
        return acquired;
    }

    public long limit() {
        return limit;
    }

    boolean isKept(long now) {
        return keptUntil != NEVER && now - keptUntil < 0;
    }

    void release(long now) {
        released = now;
        isReleased = true;
    }

    public boolean isReleased() {
        return isReleased;
    }

    /** Returns for how long it was held when it was given back, in nanoseconds. */
    public long heldUntilRelease() {
        return released - acquired;
    }

    /** Returns the earlier one of two instants, of which {@link Long#MAX_VALUE} is later than all. */
    public static long earlier(long one, long other) {
        return other == NEVER || (one != NEVER && one - other < 0) ? one : other;
    }

    /** Somebody who waits for the store's next word about a hold; it is told once, what was refused or nothing. */
    public static class Ticket {
        final Caller hold;
        /** The end to which the hold is moved, if that is asked for. */
        long end = Caller.NEVER;
        /** Which of the moves of the hold's end this is: the last one counts. */
        int move;
        /** The request at whose answer the hold counts as given back; 0 for who asks for anything else. */
        int request;

        /** The handle of the same hold with another weight, once there is one. */
        protected @Nullable Caller next;

        /** True once the larger weight is given up that was asked for. */
        boolean isGivenUp;

        public Ticket(Caller hold) {
            this.hold = hold;
        }
    }

    /** Callers, first come first served; one that leaves is unlinked in constant time. */
    static final class Row {
        private @Nullable Caller first;
        private @Nullable Caller last;
        int size;

        Caller first() {
            return Objects.requireNonNull(first);
        }

        /** Returns the first such caller; null if there is none. */
        @Nullable
        Caller find(Predicate<Caller> which) {
            Caller caller = first;
            while (caller != null && !which.test(caller)) {
                caller = caller.after;
            }
            return caller;
        }

        void add(Caller caller) {
            link(last, caller);
            last = caller;
            caller.list = this;
            size++;
        }

        void addFirst(Caller caller) {
            link(caller, first);
            first = caller;
            caller.list = this;
            size++;
        }

        void remove(Caller caller) {
            link(caller.before, caller.after);
            caller.before = null;
            caller.after = null;
            caller.list = null;
            size--;
        }

        /** Has the one stand before the other; null stands for the end on its side. */
        private void link(@Nullable Caller one, @Nullable Caller other) {
            if (one == null) {
                first = other;
            } else {
                one.after = other;
            }
            if (other == null) {
                last = one;
            } else {
                other.before = one;
            }
        }

        /** Does something for each, which may take that one out. */
        void forEach(Consumer<? super Caller> action) {
            for (Caller caller = first; caller != null; ) {
                Caller next = caller.after;
                action.accept(caller);
                caller = next;
            }
        }
    }
}
