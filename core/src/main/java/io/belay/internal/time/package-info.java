/** The ground floor: clocks, timers, threads, and the lock under which steps are taken. Knows no floor above. */
@NullMarked
package io.belay.internal.time;

import org.jspecify.annotations.NullMarked;
