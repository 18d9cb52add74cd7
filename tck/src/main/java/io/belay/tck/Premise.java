package io.belay.tck;

import io.belay.Lease;
import io.belay.tck.TwoClients.Attempt;
import java.time.Duration;

/**
 * What a test takes for granted of the machine, not of the store: that a client which lives is run often enough to renew
 * its lease. Where the machine took that away, the test begins again with a longer lease. That it did is measured, so
 * that a store which loses leases is found out at once.
 */
final class Premise implements AutoCloseable {
    private static final int ATTEMPTS = 4;

    /** A lease is renewed after a third of it. A dozen threads, here and in the store, then have the rest to take turns. */
    private static final int STALLS_IN_A_LEASE = 12;

    /** The machine has taken a premise away. */
    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Gone(String what) {
            super(what);
        }
    }

    private final Lag lag = new Lag();
    private final Duration lease;
    private final boolean last;

    private Premise(Duration lease, boolean last) {
        this.lease = lease;
        this.last = last;
    }

    /** Makes an attempt with a lease that suits this machine, and others with longer ones where its premise goes. */
    static void attempts(Duration longestLease, Attempt attempt) throws Exception {
        Duration lease = Pace.HERE.lease();
        for (int number = 1; ; number++) {
            lease = lease.compareTo(longestLease) < 0 ? lease : longestLease;
            try (Premise premise = new Premise(lease, number == ATTEMPTS)) {
                attempt.make("x" + number, lease, premise);
                return;
            } catch (Gone e) {
                lease = lease.multipliedBy(2);
                System.out.printf("%s; once more, with a lease of %s%n", e.getMessage(), lease);
            }
        }
    }

    /** Says that a client still holds the lease, as is promised of one that is run in time. */
    void holds(Lease held) {
        holds(held.isHeld(), "a lease that its client keeps");
    }

    /**
     * Says that what is promised of a client that is run in time holds.
     *
     * @throws AssertionError if it does not, and the machine is no excuse
     */
    void holds(boolean holds, String what) {
        if (holds) {
            return;
        }
        Duration stall = lag.longest();
        String text =
                String.format("%s was lost; the machine stood still for up to %s of a lease of %s", what, stall, lease);
        if (last || stall.multipliedBy(STALLS_IN_A_LEASE).compareTo(lease) < 0) {
            throw new AssertionError(text);
        }
        throw new Gone(text);
    }

    @Override
    public void close() {
        lag.close();
    }
}
