/**
 * Belay in the Spring Framework. {@link io.belay.spring.EnableLocked} makes {@link io.belay.spring.Locked} and
 * {@link io.belay.spring.LeaderOnly} work, given a bean of the type {@link io.belay.Belay}: a lock around a method, and around
 * its transaction, which commits only while the lock is held.
 */
@NullMarked
package io.belay.spring;

import org.jspecify.annotations.NullMarked;
