package io.belay.spring;

import io.belay.Lease;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Ties every transaction that is begun under locks to them, however it is begun: it raises the fences first of all, and commits
 * only while the locks are held. Spring asks a listener right before the commit, when all synchronizations have been called.
 */
final class TransactionGuard implements TransactionExecutionListener {
    private static final ThreadLocal<Deque<Open>> OPEN = ThreadLocal.withInitial(ArrayDeque::new);

    private static final boolean JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
            TransactionGuard.class.getClassLoader());

    private final Supplier<List<TransactionFence>> fences;

    TransactionGuard(Supplier<List<TransactionFence>> fences) {
        this.fences = fences;
    }

    /** A transaction that has begun on this thread; among its synchronizations as a sign that it is the present one. */
    private static final class Open implements TransactionSynchronization {
        private final TransactionExecution transaction;
        private final Set<HeldLocks> inside = new LinkedHashSet<>();
        private @Nullable Throwable failure;
        private boolean undone;
        private boolean ending;

        Open(TransactionExecution transaction) {
            this.transaction = transaction;
        }

        /** Notes that what was written since a savepoint is undone: fences that were raised since then, too. */
        @Override
        public void savepointRollback(Object savepoint) {
            undone = true;
        }

        /**
         * Rolls back what ends without a look: where a synchronization throws a TransactionException before the commit, Spring takes that
         * for tried and rolls nothing back, and JDBC commits as the manager gives the connection back.
         */
        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED || ending || find(transaction) != this) {
                return;
            }
            try {
                if (transaction instanceof DefaultTransactionStatus its
                        && its.hasTransaction()
                        && !tied(transaction).isEmpty()) {
                    rollBack(its.getTransaction());
                }
            } finally {
                if (status == STATUS_UNKNOWN) {
                    close(transaction); // no listener is told of its end
                }
            }
        }

        boolean isPresent() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.getSynchronizations().contains(this);
        }
    }

    /** Rolls back what goes on. JPA's connection is another one, or nobody's, when Spring has rolled back before. */
    private static void rollBack(Object transaction) {
        Object jpas = EntityManagers.call(EntityManagers.of(transaction), "getTransaction");
        if (jpas == null && JDBC) {
            Jdbc.rollBack(transaction);
        } else if (Boolean.TRUE.equals(EntityManagers.call(jpas, "isActive"))) {
            EntityManagers.call(jpas, "rollback");
        }
    }

    /** The part that needs Spring's JDBC, in a class that is loaded only where that is. */
    private static final class Jdbc {
        static void rollBack(Object transaction) {
            if (transaction instanceof JdbcTransactionObjectSupport its && its.hasConnectionHolder()) {
                try {
                    its.getConnectionHolder().getConnection().rollback();
                } catch (SQLException e) {
                    throw new IllegalStateException("what was written without a look at its locks may be committed", e);
                }
            }
        }
    }

    /** Returns the thread's transaction; null if there is none, or if it is none of those that are tied by this. */
    private static @Nullable Open present() {
        Open last = OPEN.get().peek();
        if (last == null) {
            OPEN.remove();
        }
        return last != null && last.isPresent() ? last : null;
    }

    /**
     * Returns the thread's transaction, the one that was begun last; null if there is none, or if it is none of those that are
     * tied by this. One of a message broker may have no synchronizations, by which others are known to be the present one.
     */
    static @Nullable TransactionExecution current() {
        Open present = TransactionSynchronizationManager.isSynchronizationActive()
                ? present()
                : OPEN.get().peek();
        if (present == null && OPEN.get().isEmpty()) {
            OPEN.remove();
        }
        return present == null ? null : present.transaction;
    }

    /** Returns the thread's transactions that are tied by this and have not ended, and their parts that are nested by savepoints. */
    static Stream<TransactionExecution> open() {
        return OPEN.get().stream().map(open -> open.transaction);
    }

    /** Returns whether the thread's transaction is one of those that are tied by this. */
    static boolean isThere() {
        return present() != null;
    }

    /** Returns whether it was decided already how the thread's transaction ends: what is called now is not in it. */
    static boolean isEnding() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return true; // they are told that it has ended
        }
        Open present = present();
        return present != null && present.ending;
    }

    /** Throws what kept the fences of the thread's transaction from being raised, if nobody was told of it yet. */
    static void check() {
        Open present = present();
        if (present != null) {
            tell(present);
        }
    }

    /** Ties the thread's transaction, and the one whose savepoint it is, to a call inside that may return before it ends. */
    static void tie(HeldLocks held) {
        OPEN.get().stream().filter(Open::isPresent).forEach(open -> open.inside.add(held));
    }

    /** Returns the calls to whose locks a transaction is tied: those around its end, and those inside of it. */
    private static Set<HeldLocks> tied(TransactionExecution transaction) {
        Set<HeldLocks> tied = new LinkedHashSet<>(HeldLocks.all());
        Open open = find(transaction);
        if (open != null) {
            tied.addAll(open.inside);
        }
        return tied;
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
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(begun);
        }
        try {
            raise(transaction);
        } catch (RuntimeException | Error e) {
            // Thrown here it would leave the transaction on the thread: Spring rolls back nothing that has not begun.
            begun.failure = e;
            transaction.setRollbackOnly();
        }
    }

    private void raise(TransactionExecution transaction) {
        List<Lease> leases = tied(transaction).stream()
                .flatMap(call -> call.fenced().stream())
                .toList();
        if (!leases.isEmpty() && !transaction.isReadOnly()) {
            fences.get().forEach(fence -> fence.raise(leases));
        }
    }

    /** What this throws rolls back, as it is no TransactionException: after one of those Spring takes the commit for tried. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        try {
            look(transaction);
        } catch (TransactionTimedOutException e) {
            throw new QueryTimeoutException("The transaction was over its time before it was committed", e);
        } catch (TransactionException e) {
            throw new NonTransientDataAccessResourceException(
                    "What is to be done before the commit failed: " + e.getMessage(), e);
        }
    }

    private void look(TransactionExecution transaction) {
        Open ending = find(transaction);
        if (ending != null && ending.undone) {
            raise(transaction); // a later holder that was there meanwhile is found here
        }
        Set<HeldLocks> calls = tied(transaction);
        if (!calls.isEmpty()
                && !transaction.isReadOnly()
                && transaction instanceof TransactionStatus status
                && keepsBack(status)) {
            status.flush(); // else JPA would write inside of the commit, however long that takes
        }
        calls.forEach(HeldLocks::ensureHeld);
        end(transaction, true);
    }

    /**
     * Returns whether the manager itself keeps back what is written, as JPA's does. Those of JTA and JDBC keep nothing back, and flush what
     * takes part by a synchronization, such as an EntityManager: that is closed by now, and to flush it would fail.
     */
    private static boolean keepsBack(TransactionStatus transaction) {
        if (!(transaction instanceof DefaultTransactionStatus its) || !its.hasTransaction()) {
            return true;
        }
        String kind = its.getTransaction().getClass().getName();
        return !kind.startsWith("org.springframework.transaction.jta.")
                && !kind.startsWith("org.springframework.jdbc.")
                && !EntityManagers.isFlushedByHand(its.getTransaction());
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        end(transaction, false);
    }

    private static void end(TransactionExecution transaction, boolean commits) {
        Open open = find(transaction);
        // Behind an end, as in an after-commit listener, that one counts: it lies around what the method did.
        if (OPEN.get().stream().noneMatch(other -> other != open && other.ending)) {
            tied(transaction).forEach(held -> held.ends(commits));
        }
        if (open != null) {
            open.ending = true;
        }
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
        Open ended = find(transaction);
        open.remove(ended);
        if (open.isEmpty()) {
            OPEN.remove();
        }
        return ended;
    }

    private static @Nullable Open find(TransactionExecution transaction) {
        return OPEN.get().stream()
                .filter(open -> open.transaction == transaction)
                .findFirst()
                .orElse(null);
    }
}
