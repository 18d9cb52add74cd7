/**
 * The third floor: the gates at which the threads of one client queue, and the holds that they hand out. Knows
 * {@code claim} and {@code time}.
 */
@NullMarked
package io.belay.internal.gate;

import org.jspecify.annotations.NullMarked;
