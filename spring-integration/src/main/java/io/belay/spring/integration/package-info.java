/**
 * Spring Integration on Belay.
 *
 * <p>{@link io.belay.spring.integration.BelayLockRegistry} is a registry of locks for aggregators, advices and whatever else
 * asks Spring Integration for a lock. {@link io.belay.spring.integration.BelayLeaderInitiator} elects one leader among the
 * nodes of an application, and publishes Spring Integration's events of it.
 */
@NullMarked
package io.belay.spring.integration;

import org.jspecify.annotations.NullMarked;
