/** The implementation; not for use from outside. */
@NullMarked
package io.belay.internal;

import org.jspecify.annotations.NullMarked;
