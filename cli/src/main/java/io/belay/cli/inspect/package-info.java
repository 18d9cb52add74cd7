/** {@code belay locks}, {@code inspect} and {@code break}, which show who holds locks and who waits, and take locks away. */
@NullMarked
package io.belay.cli.inspect;

import org.jspecify.annotations.NullMarked;
