/**
 * The gates at which the threads of one client queue, each around a machine, and the holds that they hand out. Knows
 * {@code claim} and what is beneath it.
 */
@NullMarked
package io.belay.internal.gate;

import org.jspecify.annotations.NullMarked;
