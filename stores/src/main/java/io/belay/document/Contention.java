package io.belay.document;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How this client's writes of one document meet what others do to it. Of a write that was refused it is not told why: another one was
 * quicker to change the document, or somebody keeps it locked.
 *
 * <p>For a second after a change was seen it is taken for the former: the write is tried again in a moment, and after some
 * refusals the document is reserved, so that others step back. So it is at first at any other time, as the change may be
 * under way. Where none is seen for a while it may be the latter, for which a statement waits: then the document goes
 * apart, where one at a time is written or reserved by itself, and holds up no other. It comes back when it was written, or a
 * change is seen.
 *
 * <p>Used by one thread at a time, the one that works on the document.
 */
final class Contention {
    /** The number of refusals in a row that makes a failure. */
    static final int ATTEMPTS = 100;

    /** The refusals after which a client that is near reserves a document that others wait for, and any other. */
    private static final int URGENT = 2;

    private static final int OTHERS = 4;

    /** The longest wait after the first refusal, in nanoseconds; twice as long after each further one. */
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(250);

    /** The same for a step that others wait for. */
    private static final long URGENT_PAUSE = PAUSE / 2;

    private static final int DOUBLINGS = 7;

    /** The time for which a document that was changed is taken to be locked by nobody, in microseconds. */
    private static final long UNLOCKED = TimeUnit.SECONDS.toMicros(1);

    /** The time that another one's write may be under way, in nanoseconds, and the refusals within that. */
    private static final long UNDER_WAY = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SOME = 3;

    private final LongSupplier nanoTime;
    private long unlockedUntil;
    /** The version that was last read or written here; 0 for none. */
    private long version;

    private int refusals;
    /** The first of these refusals, as a {@link System#nanoTime()}. */
    private long refusedSince;

    private boolean isApart;
    /** The version by which this client has reserved the document; 0 if it has not. */
    private long reserved;

    Contention() {
        this(System::nanoTime);
    }

    Contention(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        unlockedUntil = nanoTime.getAsLong();
    }

    /** Notes the version that was read, 0 for none, and how long ago a sequence was last given there, in microseconds. */
    void read(long seen, long age) {
        if (age < UNLOCKED || (version != 0 && seen != version)) {
            unlockedUntil = nanoTime.getAsLong() + TimeUnit.MICROSECONDS.toNanos(UNLOCKED);
        }
        version = seen;
    }

    /** Notes the version that was written here, which ends a reservation, and shows that nobody keeps the document locked. */
    void written(long next) {
        version = next;
        reserved = 0;
        isApart = false;
        over();
    }

    /** Notes that there is nothing to write any more. What can be read need not be writable yet. */
    void over() {
        refusals = 0;
    }

    /** Notes that a write was refused; returns false if that was so too often. */
    boolean refused() {
        refusedSince = refusals++ == 0 ? nanoTime.getAsLong() : refusedSince;
        isApart &= !isUnlocked();
        return refusals < ATTEMPTS;
    }

    private boolean isUnlocked() {
        return unlockedUntil - nanoTime.getAsLong() > 0;
    }

    int refusals() {
        return refusals;
    }

    /** Returns for how long to wait after the last refusal, in nanoseconds. */
    long pause(boolean urgent) {
        long most = (urgent ? URGENT_PAUSE : PAUSE) << Math.min(DOUBLINGS, refusals - 1);
        return ThreadLocalRandom.current().nextLong(most);
    }

    /** Returns for how long to step back from what others have reserved for so long, in nanoseconds. */
    static long stepBack(long left) {
        return PollSchedule.spread(Math.max(PAUSE, left / 2));
    }

    /** Returns whether a write is to be tried by itself, as it was refused for a while though no change was seen. */
    boolean isToGoApart() {
        return refusals >= SOME && !isApart && !isUnlocked() && nanoTime.getAsLong() - refusedSince > UNDER_WAY;
    }

    void goApart() {
        isApart = true;
    }

    boolean isApart() {
        return isApart;
    }

    /** Returns whether to reserve the document before the next write. That, too, waits for whoever keeps it locked. */
    boolean isToReserve(boolean urgent, boolean far) {
        return refusals >= (far ? 1 : urgent ? URGENT : OTHERS) && (isApart || isUnlocked());
    }

    void reserved(long by) {
        reserved = by;
    }

    boolean isReservedBy(long seen) {
        return reserved != 0 && reserved == seen;
    }
}
