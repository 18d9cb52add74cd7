package io.belay.spring;

import io.belay.Lease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;

/**
 * Ties every transaction that is begun under locks to them, however it is begun: it raises the fences first of all, and commits
 * only while the locks are held. Spring asks a listener right before the commit, when all synchronizations have been called.
 */
final class TransactionGuard implements TransactionExecutionListener {
    private static final ThreadLocal<Deque<Open>> OPEN = ThreadLocal.withInitial(ArrayDeque::new);

    private final Supplier<List<TransactionFence>> fences;

    TransactionGuard(Supplier<List<TransactionFence>> fences) {
        this.fences = fences;
    }

    /** A transaction that has begun on this thread. */
    private static final class Open {
        private final TransactionExecution transaction;
        private @Nullable Throwable failure;

        Open(TransactionExecution transaction) {
            this.transaction = transaction;
        }
    }

    /** Returns whether the thread's transaction is one of those that are tied by this. */
    static boolean isThere() {
        boolean there = !OPEN.get().isEmpty();
        if (!there) {
            OPEN.remove();
        }
        return there;
    }

    /** Throws what kept the fences of the thread's transaction from being raised, if nobody was told of it yet. */
    static void check() {
        Open present = OPEN.get().peek();
        if (present != null) {
            tell(present);
        }
    }

    private static void tell(Open open) {
        Throwable failure = open.failure;
        open.failure = null;
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure != null) {
            return;
        }
        Open begun = new Open(transaction);
        OPEN.get().push(begun);
        List<Lease> leases = transaction.isReadOnly() ? List.of() : HeldLocks.allFenced();
        if (leases.isEmpty()) {
            return;
        }
        try {
            fences.get().forEach(fence -> fence.raise(leases));
        } catch (RuntimeException | Error e) {
            // Thrown here it would leave the transaction on the thread: Spring rolls back nothing that has not begun.
            begun.failure = e;
            transaction.setRollbackOnly();
        }
    }

    /** What this throws rolls back, as it is no TransactionException. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        List<HeldLocks> calls = HeldLocks.all();
        if (!calls.isEmpty() && !transaction.isReadOnly() && transaction instanceof TransactionStatus status) {
            status.flush(); // else JPA would write inside of the commit, however long that takes
        }
        calls.forEach(HeldLocks::ensureHeld);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        close(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        Open ended = close(transaction);
        if (ended != null && failure == null) {
            tell(ended);
        }
    }

    private static @Nullable Open close(TransactionExecution transaction) {
        Deque<Open> open = OPEN.get();
        Open ended = open.stream()
                .filter(one -> one.transaction == transaction)
                .findFirst()
                .orElse(null);
        open.remove(ended);
        if (open.isEmpty()) {
            OPEN.remove();
        }
        return ended;
    }
}
