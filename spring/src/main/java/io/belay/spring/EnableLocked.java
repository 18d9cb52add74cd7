package io.belay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes {@link Locked} and {@link LeaderOnly} work in an application context that has a bean of the type
 * {@link io.belay.Belay}. Beans of the types {@link LockedDefaults} and {@link TransactionFence} are used if they are there.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(LockedConfiguration.class)
public @interface EnableLocked {}
