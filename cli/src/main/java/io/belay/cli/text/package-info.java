/** The values that are read from the command line, and the text that is printed. */
@NullMarked
package io.belay.cli.text;

import org.jspecify.annotations.NullMarked;
