package io.belay.spring;

import io.belay.Lease;
import io.belay.spring.Locked.InTransaction;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** The transaction of the calling thread, where Spring's transactions are on the class path. */
final class Transactions {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** Returns whether the thread is inside a transaction. */
    static boolean isActive() {
        return PRESENT && Active.now();
    }

    /** Returns whether there are any in the application. */
    static boolean arePresent() {
        return PRESENT;
    }

    /** Has the body of a method begin only if the transaction around it is tied to the locks that the call holds. */
    static void guard(HeldLocks held, Method method, Supplier<List<TransactionFence>> fences) {
        boolean watched = TransactionGuard.isThere();
        if (!watched || held.isInside()) {
            List<Lease> fenced = held.fenced();
            if (!fenced.isEmpty() && !Active.readsOnly()) {
                fences.get().forEach(fence -> fence.raise(fenced));
            }
        }
        if (watched) {
            TransactionGuard.check();
        } else {
            Active.beforeCommit(held::ensureHeld);
        }
        held.inTransaction(method);
    }

    /** Has something done when the transaction has ended, however it did. */
    static void atEnd(Runnable then) {
        Active.atEnd(then);
    }

    /** Refuses a lock inside of a transaction that would outlive it. */
    static IllegalStateException refusal(String method) {
        return new IllegalStateException(
                method + " is @Locked and was called inside a transaction, which would commit after"
                        + " the lock is given back: put @Locked on the method that begins the transaction, or say inTransaction = "
                        + InTransaction.HOLD_UNTIL_COMPLETION);
    }

    /** All that needs Spring's transactions, in a class that is loaded only where they are. */
    private static final class Active {
        static boolean now() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        static boolean readsOnly() {
            return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        }

        static void beforeCommit(Runnable check) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    check.run();
                }
            });
        }

        static void atEnd(Runnable then) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    then.run();
                }
            });
        }
    }
}
