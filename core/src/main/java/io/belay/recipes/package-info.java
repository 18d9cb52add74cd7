/**
 * Locks made of locks: several as one, one in segments, and one for many requests at a time. They use the public API
 * alone.
 */
@NullMarked
package io.belay.recipes;

import org.jspecify.annotations.NullMarked;
