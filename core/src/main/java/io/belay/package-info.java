/**
 * Distributed locks: the API of Belay.
 *
 * <p>{@link io.belay.Belay#connect(String)} opens a client of a store. {@link io.belay.DistributedLock} is the lock,
 * {@link io.belay.Lease} the right to it while it is held, {@link io.belay.ReentrantDistributedLock} the same as a
 * {@code java.util.concurrent} lock. {@link io.belay.Lease#token()} is the fencing token that makes a guard possible.
 *
 * <p>Every method refuses null by a {@link NullPointerException} that names the parameter, before it does anything,
 * unless the parameter is marked as nullable.
 */
@NullMarked
package io.belay;

import org.jspecify.annotations.NullMarked;
