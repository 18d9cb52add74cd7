/** What a store provides. */
@NullMarked
package io.belay.spi;

import org.jspecify.annotations.NullMarked;
