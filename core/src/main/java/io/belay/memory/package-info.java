/** The {@code memory:} store: one JVM, no I/O. */
@NullMarked
package io.belay.memory;

import org.jspecify.annotations.NullMarked;
