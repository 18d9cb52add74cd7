/** What is measured: a small class for each case, and the list of all. */
@NullMarked
package io.belay.bench.cases;

import org.jspecify.annotations.NullMarked;
