/** Belay with bugs planted, to see that the checks find them. */
@NullMarked
package io.belay.trials.plant;

import org.jspecify.annotations.NullMarked;
