/** Tells what endangers the locks of a store. */
@NullMarked
package io.belay.cli.doctor;

import org.jspecify.annotations.NullMarked;
