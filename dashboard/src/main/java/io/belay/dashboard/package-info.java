/** A live page of all locks of a store: {@link io.belay.dashboard.Dashboard} serves it. */
@NullMarked
package io.belay.dashboard;

import org.jspecify.annotations.NullMarked;
