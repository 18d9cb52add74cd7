/** What is read from the command line and what is printed. */
@NullMarked
package io.belay.cli.text;

import org.jspecify.annotations.NullMarked;
