/** The cases that are measured: a small class for each, and the list of all. */
@NullMarked
package io.belay.bench.cases;

import org.jspecify.annotations.NullMarked;
