/** The events that Java Flight Recorder records, where there is one. */
@NullMarked
package io.belay.internal.jfr;

import org.jspecify.annotations.NullMarked;
