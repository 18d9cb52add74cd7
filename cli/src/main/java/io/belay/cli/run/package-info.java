/**
 * {@code belay run} and {@code belay lead}: a command that runs while a lock is held, and not a moment longer than its lease.
 */
@NullMarked
package io.belay.cli.run;

import org.jspecify.annotations.NullMarked;
