package io.belay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method while a lock is held. Belongs on methods of beans that are called from outside of the bean, or on its class
 * for all public ones but those of {@link Object}; {@link EnableLocked} makes it work. What cannot be locked, or is written
 * wrongly, fails the start.
 *
 * <pre>{@code
 * @Locked("stock:#{#sku}")
 * @Transactional
 * public void sell(String sku, int pieces) { ... }
 * }</pre>
 *
 * <p><b>Order.</b> The lock lies directly around the transaction, whatever the order of the advisors, and inside of retries,
 * caches, security and {@code @Async}: each attempt locks anew, and a hit takes no lock. {@link LockPlacement} places it among
 * others. Before a transaction commits the lease is looked at: if it was lost, the transaction is rolled back and the caller gets
 * a {@link io.belay.LeaseLostException}. Where there is a {@link TransactionFence}, the first statement of the transaction raises
 * it.
 *
 * <p><b>Inside of a transaction</b> of its caller's a method is refused, unless {@link #inTransaction} says otherwise, its own
 * transaction has {@code REQUIRES_NEW}, or the caller's has ended.
 *
 * <p><b>Results.</b> A method that returns a future, a {@code Mono}, a {@code Flux} or what Spring can turn into one, or that
 * Kotlin suspends, holds the lock until its result is complete; a loss before that is the result's failure. Cancelling the
 * future neither stops the method's work nor gives the lock back before its end. A function that Kotlin suspends holds it until
 * its coroutine has ended, also when it is cancelled; a {@code Mono} or a {@code Flux} gives it back at the cancel, as nobody
 * tells when what it has begun ends. The reactive ones wait for the lock without a thread. Results that are made later
 * without telling when they are done, such as a {@code Callable}, a {@code Stream} or a {@code DeferredResult}, are refused.
 *
 * <p><b>Failure.</b> Without the lock the method is not called: {@link LockNotAcquiredException} says who has it, and a store
 * that does not answer is an {@link io.belay.StoreUnavailableException}. A thread that is interrupted while it waits gets a
 * {@link LockNotAcquiredException}, and stays interrupted.
 *
 * <p><b>Nesting.</b> A call inside of one that holds the same names runs under that lock, unless it is lost; if it returns a future,
 * the lock is kept until that is complete, also when the outer call has returned. A reactive one that is subscribed to after the
 * outer call takes the lock anew. One that holds them in another mode, or only some of them, is refused: it would wait for itself.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Locked {
    /**
     * Returns the names of the locks, taken together if there are several. A name is a template: <code>#{#item.id}</code> is
     * replaced by what that expression gives, of the parameters by name (or <code>#p0</code>) and of beans
     * (<code>@name</code>); a template that is one expression may give a collection of names. A part that is null or empty is
     * refused. <code>${...}</code> stands for a property.
     */
    String[] value();

    /**
     * Returns how long to wait for the lock, such as {@code 5s}; by default as {@link LockedDefaults} says, and not at all where a
     * call without the lock is skipped.
     */
    String longestWait() default "";

    /** Returns the lease, for which the lock stays taken if the process dies; by default the client's. */
    String lease() default "";

    /** Returns for how long the lock is held at most, though the process lives; by default the client's, or else without an end. */
    String maxHold() default "";

    /**
     * Returns for how long the lock stays taken at least, counted from when it was taken, though the method is done sooner: for a
     * job that each instance begins at about the same time. By default the client's, or else the lock is free when the method is done.
     */
    String atLeast() default "";

    /** Returns what kind of lock it is. All who use a name have to use one kind: an exclusive lock, or readers and writers. */
    Mode mode() default Mode.EXCLUSIVE;

    /** Returns what to do without the lock. */
    Otherwise otherwise() default Otherwise.THROW;

    /** Returns what to do inside a transaction of the caller's, which would commit after the lock is given back. */
    InTransaction inTransaction() default InTransaction.REFUSE;

    /** Returns the name of the bean of the type {@link io.belay.Belay}, where there are several. */
    String belay() default "";

    /** The kinds of locks. */
    enum Mode {
        /** A lock that one holds at a time. */
        EXCLUSIVE,
        /** The read lock of a read-write lock, which many may hold at a time. */
        READ,
        /** The write lock of a read-write lock. */
        WRITE
    }

    /** The things to do when a method's condition does not hold. */
    enum Otherwise {
        /** Throws an exception. */
        THROW,
        /**
         * Skips the call; only for methods that return nothing, such as a {@code Mono<Void>} that is empty, or an {@code Optional},
         * which is empty then.
         */
        SKIP
    }

    /** The things to do inside a transaction of the caller's. */
    enum InTransaction {
        /** Refuses the call, with a message that says what to do. */
        REFUSE,
        /** Holds the lock until that transaction has ended, and lets it commit only while the lock is held. */
        HOLD_UNTIL_COMPLETION
    }
}
