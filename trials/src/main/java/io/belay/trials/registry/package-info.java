/**
 * Runs Spring Integration's own tests of its lock registries on {@code BelayLockRegistry}: {@code trials/registry}. The user has
 * the tests, not this tree.
 */
@NullMarked
package io.belay.trials.registry;

import org.jspecify.annotations.NullMarked;
