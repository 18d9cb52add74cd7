/** Runs the JDK's own tests of its locks on Belay's: {@code trials/jsr166}. The user has the tests, not this tree. */
@NullMarked
package io.belay.trials.jsr166;

import org.jspecify.annotations.NullMarked;
