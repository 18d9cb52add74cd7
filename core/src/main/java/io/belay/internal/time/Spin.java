package io.belay.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The wait for an answer of the store that is likely to come in a moment: the thread looks for it, and lets others
 * run meanwhile, before it parks. A parked thread is dear to wake where its processor has gone to sleep.
 *
 * <p>Spinning costs processor time. So one thread of a process spins at a time, and none while the store's answers
 * usually take longer than a spin may last, or where there is a single processor. Any thread may call all methods.
 */
public final class Spin {
    private static final boolean CAN_PAY = Runtime.getRuntime().availableProcessors() > 1;

    /** The weight of the last answer among those before it: one in so many. */
    private static final int MEMORY = 8;

    /** The most spins that an answer counts for, as a pause of this process is no reason to give spinning up. */
    private static final int LONGEST_ANSWER = 4;

    /** For the spins of a process. */
    public static final AtomicBoolean TAKEN_IN_PROCESS = new AtomicBoolean();

    private final long longest;
    private final LongSupplier nanoTime;
    private final AtomicBoolean taken;
    /** The time of an answer, in nanoseconds; a guess, so that it matters little if two threads change it at once. */
    private volatile long usual;

    /** Makes a spin; those that have the same {@code taken} spin one at a time. */
    public Spin(Duration longest, LongSupplier nanoTime, AtomicBoolean taken) {
        this.longest = longest.toNanos();
        this.nanoTime = nanoTime;
        this.taken = taken;
    }

    /** Notes that an answer came, so many nanoseconds after its request was sent. */
    public void answered(long took) {
        usual += (Math.min(took, LONGEST_ANSWER * longest) - usual) / MEMORY;
    }

    /** Waits until what was due has come, or until it is time to park. */
    public void await(BooleanSupplier due) {
        if (!CAN_PAY || usual >= longest || !taken.compareAndSet(false, true)) {
            return;
        }
        try {
            long start = nanoTime.getAsLong();
            while (due.getAsBoolean() && nanoTime.getAsLong() - start < longest) {
                Thread.yield();
            }
        } finally {
            taken.set(false);
        }
    }
}
