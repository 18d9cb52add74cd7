/** The parent of the worker processes, which leads them through the rounds of a case. */
@NullMarked
package io.belay.bench.lead;

import org.jspecify.annotations.NullMarked;
