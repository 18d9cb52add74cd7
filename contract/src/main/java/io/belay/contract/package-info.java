/** Suites that every store passes: a store's tests extend them and say where the store is. */
@NullMarked
package io.belay.contract;

import org.jspecify.annotations.NullMarked;
