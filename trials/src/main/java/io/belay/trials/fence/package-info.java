/** What fences are worth: old holders of a lock that are stopped before they write, with the guard of their data and without. */
@NullMarked
package io.belay.trials.fence;

import org.jspecify.annotations.NullMarked;
