package io.belay.internal.primitive;

import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.spi.Resource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The read-write lock that users see: two locks of one name, and the way between them. */
public final class ReadWrite implements DistributedReadWriteLock {
    private final Engine engine;
    private final Lock read;
    private final Lock write;

    public ReadWrite(Gates gates, String name, LockOptions options) {
        engine = gates.engine();
        read = Lock.read(gates, name, options);
        write = Lock.exclusive(gates, name, options);
    }

    Lock read() {
        return read;
    }

    Lock write() {
        return write;
    }

    @Override
    public String name() {
        return write.name();
    }

    @Override
    public DistributedLock readLock() {
        return read;
    }

    @Override
    public DistributedLock writeLock() {
        return write;
    }

    @Override
    public Lease downgrade(Lease writeLease) {
        Objects.requireNonNull(writeLease, "writeLease");
        Hold hold = own(writeLease);
        @Nullable Hold next = hold.gate().downgrade(hold, 1, false);
        if (next == null) {
            hold.ensureHeld();
            throw hold.notHeld("The lease of '" + name() + "' cannot be made a reader's now");
        }
        return next;
    }

    /** Does the same for a reader inside a writer: whoever listened to the one lease is told of the other's loss. */
    Lease downgradeInside(Lease writeLease) {
        Hold hold = own(writeLease);
        @Nullable Hold next = hold.gate().downgrade(hold, 1, true);
        if (next == null) {
            throw hold.notHeld("The lease of '" + name() + "' was lost before it was made a reader's");
        }
        return next;
    }

    @Override
    public Optional<Lease> tryUpgrade(Lease readLease) {
        Hold hold = own(Objects.requireNonNull(readLease, "readLease"));
        CompletableFuture<Optional<Hold>> outcome = hold.gate().upgrade(hold, Resource.WHOLE);
        if (!engine.await(outcome, engine.requestTimeoutNanos()) && hold.gate().giveUpUpgrade(hold)) {
            throw new StoreUnavailableException(
                    "Upgrading the read lock '" + name() + "' failed: the store did not answer in time", null);
        }
        engine.await(outcome, Long.MAX_VALUE); // it is decided, and told in a moment
        return outcome.join().map(Lease.class::cast);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryUpgradeAsync(Lease readLease) {
        Hold hold = own(Objects.requireNonNull(readLease, "readLease"));
        CompletableFuture<Optional<Lease>> told = new CompletableFuture<>();
        told.whenComplete((next, error) -> {
            if (error != null) {
                hold.gate().giveUpUpgrade(hold);
            }
        });
        hold.gate()
                .upgrade(hold, Resource.WHOLE)
                .thenAccept(next -> engine.callbacks().run(() -> tell(next, told)));
        return told;
    }

    /** Tells the outcome of an upgrade, or gives back one that came too late for a caller who has cancelled. */
    private static void tell(Optional<Hold> next, CompletableFuture<Optional<Lease>> told) {
        if (!told.complete(next.map(Lease.class::cast))) {
            next.ifPresent(Hold::discard);
        }
    }

    private Hold own(Lease lease) {
        return Holds.own(lease, name(), engine);
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock '" + name() + "'";
    }
}
