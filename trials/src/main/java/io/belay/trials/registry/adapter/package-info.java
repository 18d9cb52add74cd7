/** What the tests of Spring Integration name, on {@code BelayLockRegistry}. */
@NullMarked
package io.belay.trials.registry.adapter;

import org.jspecify.annotations.NullMarked;
