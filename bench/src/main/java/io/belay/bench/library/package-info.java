/** Belay and its peers behind one small interface. An adapter adds nothing but what the library asks of every user. */
@NullMarked
package io.belay.bench.library;

import org.jspecify.annotations.NullMarked;
