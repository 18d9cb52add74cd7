/**
 * The JDK's locks on Belay's, under the JDK's names, since the tests are compiled against these instead. Each object
 * has a name of its own on the store. What Belay does not have throws {@link java.lang.UnsupportedOperationException}.
 */
@NullMarked
package io.belay.trials.jsr166.adapter;

import org.jspecify.annotations.NullMarked;
