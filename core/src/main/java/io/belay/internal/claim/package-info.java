/**
 * The second floor: a claim's way through the store, what it believes of itself, and the engine that all claims of a
 * client share. Knows {@code time} alone.
 */
@NullMarked
package io.belay.internal.claim;

import org.jspecify.annotations.NullMarked;
