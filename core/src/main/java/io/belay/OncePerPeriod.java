package io.belay;

import java.util.Objects;
import java.util.Optional;

/**
 * An action that one process runs in each period, whoever comes first, among all processes that use the same store and
 * name: a nightly report that every instance starts at five. The period is counted from the beginning of the run, and the
 * name stays taken until it is over, also if that process ends meanwhile. It is a lock with {@link LockOptions#withAtLeast}.
 *
 * <p>The period is shorter than the time from one start to the next, by more than starts and clocks are apart, and for what starts
 * daily by more than the hour that summer time takes. Half of that time suits what a scheduler starts daily: twelve hours for the
 * nightly report. With a whole day each process would find the name taken still, and skip the run, in a night in which all come
 * sooner than the first did the night before. In one night of the year clocks may skip a time between 0 and 4 o'clock, and no
 * process starts it.
 *
 * <p>If the process dies while it runs the action, the name stays taken for the period all the same, as it may have done its
 * work. Thread-safe; holds nothing by
 * itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface OncePerPeriod {
    /** Returns the full name, namespaces included. */
    String name();

    /**
     * Runs the action, unless somebody runs it or has run it in this period. Blocks for a round trip before and after it.
     *
     * @param action what to run; its exception is thrown on as it is, and another may then run it in the same period
     * @return whether it ran
     * @throws LeaseLostException if the lease was lost before the action returned: another may have run it, too
     * @throws StoreUnavailableException if the store did not answer in time: the action did not run
     * @throws LockRefusedException if the store keeps no lock taken for so long, as a quorum beyond its {@code longest-lease}
     * @throws E what the action threw
     */
    default <E extends Exception> boolean run(CheckedRunnable<E> action) throws E {
        return call(Body.told(Objects.requireNonNull(action, "action"))).isPresent();
    }

    /**
     * Does the same for an action that returns something.
     *
     * @param action what to run; it must not return null; its exception is thrown on as it is, and another may then run it in
     *     the same period
     * @return what the action returned, or empty if it did not run
     * @throws LeaseLostException if the lease was lost before the action returned: another may have run it, too
     * @throws StoreUnavailableException if the store did not answer in time: the action did not run
     * @throws E what the action threw
     */
    <T, E extends Exception> Optional<T> call(CheckedCallable<T, E> action) throws E;

    /**
     * Tells who runs the action now, or has run it in this period. Blocks for one round trip.
     *
     * @return the claim of who did, with when it began ({@link Inspection.Claim#age()}) and for how long it lasts; empty if
     *     nobody has
     * @throws StoreUnavailableException if the store did not answer in time
     */
    Optional<Inspection.Claim> lastRun();
}
