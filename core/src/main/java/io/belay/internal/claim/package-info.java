/**
 * What all claims of a client share: the engine, its connection to the store, renewals and what is seen of the store. Knows
 * {@code machine}, {@code time} and {@code jfr}.
 */
@NullMarked
package io.belay.internal.claim;

import org.jspecify.annotations.NullMarked;
