/** The one reader of the store, however many look, and what it makes of what it reads. */
@NullMarked
package io.belay.dashboard.look;

import org.jspecify.annotations.NullMarked;
