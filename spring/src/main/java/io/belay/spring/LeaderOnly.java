package io.belay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only where this process is the leader. From the start of the application to its stop each process campaigns
 * in the background for the elections that its beans name; a call that is made or skipped costs no request. All contexts of a
 * process that have the same client share the lead: a bean that is in two of them runs in both. It is for what is called again
 * soon: while the lead changes, and until the first leader is known, a call may be skipped by all. What has its one moment, such as
 * at a start or at five o'clock, is {@link Locked} with {@link Locked#atLeast}, or {@link io.belay.OncePerPeriod}. A transaction of
 * the method, or of its caller, commits only while the process still leads; where there is a {@link TransactionFence}, those under
 * one lead come one after the other. A loss of the lead after it is told when the method returns, by a
 * {@link io.belay.LeaseLostException}. A method whose result is made later, such as a future, a {@code Mono} or a function that
 * Kotlin suspends, is refused at the start. {@link EnableLocked} makes it work.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {
    /** Returns the election's name; <code>${...}</code> in it stands for a property. */
    String value();

    /**
     * Returns what to do where another process leads, or nobody does yet. A call that throws asks the store who leads, and blocks for that
     * as long as for any request.
     */
    Locked.Otherwise otherwise() default Locked.Otherwise.SKIP;

    /** Returns the name of the bean of the type {@link io.belay.Belay}, where there are several. */
    String belay() default "";
}
