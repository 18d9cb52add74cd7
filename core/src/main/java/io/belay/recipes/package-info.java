/**
 * Locks made of locks: several as one, one in segments, and one for many requests at a time.
 */
@NullMarked
package io.belay.recipes;

import org.jspecify.annotations.NullMarked;
