/** The stores that the locks are on: a server of the run's own for each that can be measured. */
@NullMarked
package io.belay.bench.store;

import org.jspecify.annotations.NullMarked;
