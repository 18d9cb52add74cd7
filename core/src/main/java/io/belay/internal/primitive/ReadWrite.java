package io.belay.internal.primitive;

import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.spi.Resource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The read-write lock that users see: two locks of one name, and the way between them. */
public final class ReadWrite extends Primitive implements DistributedReadWriteLock {
    private final Lock read;
    private final Lock write;

    public ReadWrite(Gates gates, String name, LockOptions options) {
        super(DistributedReadWriteLock.class, gates, name);
        read = Lock.shared(gates, name, Resource.WHOLE, 1, options);
        write = Lock.exclusive(gates, name, options);
    }

    @Override
    public Lock readLock() {
        return read;
    }

    @Override
    public Lock writeLock() {
        return write;
    }

    @Override
    public Lease downgrade(Lease writeLease) {
        Objects.requireNonNull(writeLease, "writeLease");
        return reduced(own(writeLease), 1, false, "cannot be made a reader's now");
    }

    /** Does the same for a reader inside a writer: whoever listened to the one lease is told of the other's loss. */
    Hold downgradeInside(Lease writeLease) {
        return reduced(own(writeLease), 1, true, "was lost before it was made a reader's");
    }

    @Override
    public Optional<Lease> tryUpgrade(Lease readLease) {
        Hold hold = own(Objects.requireNonNull(readLease, "readLease"));
        Gate.Question question = hold.gate.ask(hold, (its, ticket) -> its.upgrade(ticket, Resource.WHOLE));
        CompletableFuture<Optional<Hold>> outcome = question.changed();
        if (!engine.await(outcome, engine.requestTimeout()) && hold.gate.ask(its -> its.giveUpUpgrade(question))) {
            throw silence();
        }
        engine.await(outcome, Long.MAX_VALUE); // it is decided, and told in a moment
        return outcome.join().map(Lease.class::cast);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryUpgradeAsync(Lease readLease) {
        Hold hold = own(Objects.requireNonNull(readLease, "readLease"));
        Gate.Question question = hold.gate.ask(hold, (its, ticket) -> its.upgrade(ticket, Resource.WHOLE));
        CompletableFuture<Optional<Lease>> told = new CompletableFuture<>();
        engine.limit(told, engine.requestTimeout(), () -> {
            if (hold.gate.ask(its -> its.giveUpUpgrade(question))) {
                engine.callbacks.run(() -> told.completeExceptionally(silence()));
            }
        });
        told.whenComplete((next, error) -> {
            if (error != null) {
                hold.gate.step(its -> its.giveUpUpgrade(question));
            }
        });
        question.changed().thenAccept(next -> engine.callbacks.run(() -> tell(next, told)));
        return told;
    }

    private StoreUnavailableException silence() {
        return new StoreUnavailableException(
                "Upgrading the read lock '" + name + "' failed: the store did not answer in time", null);
    }

    /** Tells the outcome of an upgrade, or gives back one that came too late for a caller who has cancelled. */
    private static void tell(Optional<Hold> next, CompletableFuture<Optional<Lease>> told) {
        if (!told.complete(next.map(Lease.class::cast))) {
            next.ifPresent(Hold::discard);
        }
    }
}
