/** {@code belay inspect}, which shows who holds a lock and who waits for it. */
@NullMarked
package io.belay.cli.inspect;

import org.jspecify.annotations.NullMarked;
