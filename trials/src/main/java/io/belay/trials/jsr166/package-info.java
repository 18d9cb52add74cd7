/** Runs the JDK's own tests of its locks on Belay's: {@code trials/jsr166}. They are not in this tree: the user has them. */
@NullMarked
package io.belay.trials.jsr166;

import org.jspecify.annotations.NullMarked;
