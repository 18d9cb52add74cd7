package io.belay;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark on methods whose result must not be dropped: a lease that nobody keeps is held until it is lost. Checkers know
 * the annotation by its simple name, Error Prone and IntelliJ IDEA among them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}
