/**
 * Meters and observations of Micrometer.
 *
 * <p>{@link io.belay.micrometer.BelayMetrics} makes meters of what a client counts anyway, and reads the counts when somebody
 * asks for them. {@link io.belay.micrometer.ObservedLocks} makes an observation of each wait and each hold, which costs
 * something each time: for locks of which one wants to see traces.
 */
@NullMarked
package io.belay.micrometer;

import org.jspecify.annotations.NullMarked;
