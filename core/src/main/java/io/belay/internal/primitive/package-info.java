/** The fourth floor: the locks, semaphores, latches and elections that users see. The client above makes them. */
@NullMarked
package io.belay.internal.primitive;

import org.jspecify.annotations.NullMarked;
