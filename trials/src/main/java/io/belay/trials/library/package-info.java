/** The lock libraries that are tried, behind one interface. */
@NullMarked
package io.belay.trials.library;

import org.jspecify.annotations.NullMarked;
