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
import java.util.function.BiFunction;

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
        return reduced(
                own(Objects.requireNonNull(writeLease, "writeLease")), 1, false, "cannot be made a reader's now");
    }

    /** Does the same for a reader inside a writer: whoever listened to the one lease is told of the other's loss. */
    Hold downgradeInside(Lease writeLease) {
        return reduced(own(writeLease), 1, true, "was lost before it was made a reader's");
    }

    @Override
    public Optional<Lease> tryUpgrade(Lease readLease) {
        return upgraded(readLease, (gate, question) -> {
            CompletableFuture<Optional<Hold>> outcome = question.changed();
            if (!engine.await(outcome, engine.requestTimeout()) && gate.ask(its -> its.giveUpUpgrade(question))) {
                throw silence();
            }
            engine.await(outcome, Long.MAX_VALUE); // it is decided, and told in a moment
            return outcome.join().map(Lease.class::cast);
        });
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryUpgradeAsync(Lease readLease) {
        return upgraded(readLease, (gate, question) -> {
            CompletableFuture<Optional<Lease>> told = new CompletableFuture<>();
            engine.limit(told, engine.requestTimeout(), () -> {
                if (gate.ask(its -> its.giveUpUpgrade(question))) {
                    engine.callbacks.run(() -> told.completeExceptionally(silence()));
                }
            });
            CompletableFuture<Optional<Hold>> made = question.changed();
            told.whenComplete((next, error) -> {
                if (!made.isDone() || !made.join().equals(next)) {
                    drop(gate, question); // it was cancelled, or another's value came first, or it cannot be told
                }
            });
            made.thenApplyAsync(next -> told.complete(next.map(Lease.class::cast)), engine.callbacks::run)
                    .exceptionally(told::completeExceptionally);
            return told;
        });
    }

    /** Asks for an upgrade, and waits for it in that way; if that fails nobody has it. */
    private <T> T upgraded(Lease readLease, BiFunction<Gate, Gate.Question, T> wait) {
        Hold hold = own(Objects.requireNonNull(readLease, "readLease"));
        Gate.Question question = new Gate.Question(hold);
        try {
            hold.gate.step(its -> its.upgrade(question, Resource.WHOLE));
            return wait.apply(hold.gate, question);
        } catch (Throwable e) {
            drop(hold.gate, question);
            throw e;
        }
    }

    /** Gives an upgrade up, or back what it has come to. */
    private static void drop(Gate gate, Gate.Question question) {
        if (!gate.ask(its -> its.giveUpUpgrade(question))) {
            question.changed().thenAccept(next -> next.ifPresent(Hold::discard));
        }
    }

    private StoreUnavailableException silence() {
        return new StoreUnavailableException(
                "Upgrading the read lock '" + name + "' failed: the store did not answer in time", null);
    }
}
