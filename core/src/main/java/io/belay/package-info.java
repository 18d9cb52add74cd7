/** Distributed locks. */
@NullMarked
package io.belay;

import org.jspecify.annotations.NullMarked;
