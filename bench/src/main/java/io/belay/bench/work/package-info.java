/** The work inside a worker process. */
@NullMarked
package io.belay.bench.work;

import org.jspecify.annotations.NullMarked;
