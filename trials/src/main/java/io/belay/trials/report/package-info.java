/** The verdict, in words, as JSON and as a drawing. */
@NullMarked
package io.belay.trials.report;

import org.jspecify.annotations.NullMarked;
