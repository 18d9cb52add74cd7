/** The command line. */
@NullMarked
package io.belay.cli;

import org.jspecify.annotations.NullMarked;
