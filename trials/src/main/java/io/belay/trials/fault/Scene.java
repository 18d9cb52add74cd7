package io.belay.trials.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.PriorityQueue;
import java.util.Set;

/** The targets of strikes, and what is to be done later to end them. For one thread. */
final class Scene {
    final Clients clients;
    final Site site;
    final Signals signals;
    final Journal journal;
    final Duration lease;
    private final Duration worksAgain;
    private final Set<Object> struck = Collections.newSetFromMap(new IdentityHashMap<>());
    private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparingLong(Later::nanos));
    private long calmSince = System.nanoTime();
    private boolean over;

    Scene(Clients clients, Site site, Signals signals, Journal journal, Plan plan) {
        this.clients = clients;
        this.site = site;
        this.signals = signals;
        this.journal = journal;
        lease = plan.lease();
        worksAgain = Sites.worksAgain(plan.store(), lease);
    }

    /** Returns within how many leases a client works again whose connections have become half-open. */
    double worksAgainLeases() {
        return (double) worksAgain.toNanos() / lease.toNanos();
    }

    /** Returns whether something is being done to this server or stretch of network. */
    boolean isStruck(Object place) {
        return struck.contains(place);
    }

    /** Returns whether nothing has been done to any server or stretch of network for so long. */
    boolean isQuietFor(Duration time) {
        return struck.isEmpty() && System.nanoTime() - calmSince >= time.toNanos();
    }

    /** Keeps others from this place, until it is left. */
    void take(Object place) {
        struck.add(place);
    }

    /** Lets others have this place again. */
    void leave(Object place) {
        struck.remove(place);
    }

    /** Writes down that something is done to this place. */
    void strike(Object place, String what) {
        take(place);
        journal.strike(what);
    }

    /** Writes down that what was done to this place is over. */
    void calm(Object place, String what) {
        leave(place);
        calmSince = System.nanoTime();
        journal.calm(what);
    }

    /** Writes down that what was done to this place is over; for so many leases more nothing is to be done there. */
    void calm(Object place, String what, double leases) {
        calm(place, what);
        take(place);
        after(leases, () -> leave(place));
    }

    /** An action that may fail. */
    interface Action {
        void run() throws IOException, InterruptedException;
    }

    private record Later(long nanos, Action action) {}

    /** Has an action done after so many leases. */
    void after(double leases, Action action) {
        later.add(new Later(System.nanoTime() + (long) (lease.toNanos() * leases), action));
    }

    /** Ends the trial before its time: nothing more is waited for. */
    void end() {
        over = true;
    }

    /** Returns whether the trial ends before its time. */
    boolean isOver() {
        return over;
    }

    /** Waits until then, and does meanwhile what is due; or until the trial ends before its time. */
    void await(long end) throws IOException, InterruptedException {
        while (!over) {
            Later next = later.peek();
            long due = next == null ? end : Math.min(end, next.nanos());
            long left = due - System.nanoTime();
            if (left > 0) {
                Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
            } else if (next != null && due == next.nanos()) {
                later.remove().action().run();
            } else {
                return;
            }
        }
    }

    /** Does at once what was to be done later. */
    void calm() throws IOException, InterruptedException {
        while (!later.isEmpty()) {
            later.remove().action().run();
        }
    }
}
