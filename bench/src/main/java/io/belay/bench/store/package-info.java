/** What the locks are on: a server of the run's own for each store that can be measured. */
@NullMarked
package io.belay.bench.store;

import org.jspecify.annotations.NullMarked;
