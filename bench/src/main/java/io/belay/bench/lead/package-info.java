/** Leads worker processes through the rounds of a case. */
@NullMarked
package io.belay.bench.lead;

import org.jspecify.annotations.NullMarked;
