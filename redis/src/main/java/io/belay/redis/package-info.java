/** The {@code redis:}, {@code rediss:} and {@code unix:} stores. */
@NullMarked
package io.belay.redis;

import org.jspecify.annotations.NullMarked;
