package io.belay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the transactions that a method begins commit whether or not the locks around it are held, and raises no fence for them:
 * for what must be written after a loss, too, such as the record of an error. Belongs on a method of its own, or on a class,
 * with {@code @Transactional(propagation = REQUIRES_NEW)}: a transaction that has begun outside stays tied to the locks. A
 * reactive method, which is cancelled when a lock is lost, is refused at the start.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Unguarded {}
