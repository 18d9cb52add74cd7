/** Suites that every store passes: a store's tests extend them and say where the store is. */
@NullMarked
package io.belay.tck;

import org.jspecify.annotations.NullMarked;
