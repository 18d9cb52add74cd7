package io.belay.internal.primitive;

import io.belay.CheckedCallable;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockMode;
import io.belay.OncePerPeriod;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Inspections;
import java.util.Objects;
import java.util.Optional;

/** The action that users have run once in a period: a lock that stays taken until the period is over. */
public final class Once extends Primitive implements OncePerPeriod {
    private final Lock lock;

    /** Makes one of a lock whose options say for how long it stays taken at least. */
    public Once(Lock lock) {
        super(OncePerPeriod.class, lock.gates, lock.name);
        this.lock = lock;
    }

    @Override
    public <T, E extends Exception> Optional<T> call(CheckedCallable<T, E> action) throws E {
        Objects.requireNonNull(action, "action");
        Optional<Lease> had = lock.tryAcquire();
        if (had.isEmpty()) {
            return Optional.empty();
        }
        T result = null;
        try {
            result = Objects.requireNonNull(action.call(), "what the action returned");
        } finally {
            end(had.get(), result != null);
        }
        return Optional.of(result);
    }

    /** Keeps the lock until the period is over, or frees it at once for another try. */
    static void end(Lease lease, boolean done) {
        Hold hold = (Hold) lease;
        if (!done) {
            hold.releaseAtOnce();
        } else if (hold.release() == ReleaseOutcome.ALREADY_LOST) {
            throw hold.notHeld(
                    "The lease of '" + hold.name() + "' was lost while its action ran: another may have run it, too");
        }
    }

    @Override
    public Optional<Inspection.Claim> lastRun() {
        return Inspections.of(gates, name).claims().stream()
                .filter(claim -> claim.place() == 0 && claim.mode() == LockMode.EXCLUSIVE)
                .findFirst();
    }
}
