/** Measurements of Belay beside its peers: {@code bench/run}. */
@NullMarked
package io.belay.bench;

import org.jspecify.annotations.NullMarked;
