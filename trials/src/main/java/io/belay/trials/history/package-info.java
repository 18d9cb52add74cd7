/** The history of a trial: what clients did and saw, and what was done to them, in files that outlive them. */
@NullMarked
package io.belay.trials.history;

import org.jspecify.annotations.NullMarked;
