/** {@code belay hammer}, which measures one lock with many threads in several processes. */
@NullMarked
package io.belay.cli.hammer;

import org.jspecify.annotations.NullMarked;
