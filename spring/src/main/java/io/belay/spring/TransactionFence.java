package io.belay.spring;

import io.belay.Lease;
import java.util.List;

/**
 * A guard of what a transaction writes, which refuses holders of a lock that have been succeeded. All beans of this type are
 * raised at the begin of each transaction of a {@link Locked} method.
 */
@FunctionalInterface
public interface TransactionFence {
    /**
     * Raises the guard to the leases' tokens, inside the calling thread's transaction, before its first statement. Whatever
     * this throws rolls the transaction back.
     *
     * @param leases of locks that one holds at a time, in no order; never empty
     */
    void raise(List<Lease> leases);
}
