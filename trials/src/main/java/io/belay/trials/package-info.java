/** Tries what Belay promises on real stores, under faults of processes, stores and networks: {@code trials/run}. */
@NullMarked
package io.belay.trials;

import org.jspecify.annotations.NullMarked;
