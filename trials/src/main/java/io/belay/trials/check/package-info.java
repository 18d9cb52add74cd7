/** Judges a history: what must hold whatever happened. */
@NullMarked
package io.belay.trials.check;

import org.jspecify.annotations.NullMarked;
