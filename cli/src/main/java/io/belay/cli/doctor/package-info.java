/** {@code belay doctor}, which tells what endangers the locks of a store. */
@NullMarked
package io.belay.cli.doctor;

import org.jspecify.annotations.NullMarked;
