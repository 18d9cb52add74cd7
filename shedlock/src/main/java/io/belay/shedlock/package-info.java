/**
 * ShedLock on Belay.
 *
 * <p>{@link io.belay.shedlock.BelayLockProvider} gives ShedLock its locks: jobs, annotations and schedulers stay as they are,
 * and the locks are those of a client of Belay, on any store.
 */
@NullMarked
package io.belay.shedlock;

import org.jspecify.annotations.NullMarked;
