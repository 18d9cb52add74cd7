package io.belay.spring;

/**
 * Places the locks of {@link Locked} and {@link LeaderOnly} among advices whose kind Belay does not know. Known are those of
 * transactions, which lie inside, and of retries (Spring's own, spring-retry's, Resilience4j's), caches, security and
 * {@code @Async}, which lie outside, unless the application has put them inside of the transaction's. Asked once for each
 * advice and bean, at the start; not about what Spring puts inside of all others afterwards, such as the validation of methods.
 */
@FunctionalInterface
public interface LockPlacement {
    /** Returns where an advice is to lie, by the class of its aspect or, where it is of none, its own. */
    Side side(Class<?> advice);

    /** The sides of a lock. */
    enum Side {
        /** The lock lies around it: it is called while the lock is held. */
        INSIDE,
        /** It lies around the lock: it is called before the lock is taken and after it is given back. */
        OUTSIDE,
        /** It stays on whatever side it is. */
        EITHER
    }
}
