/** Locks in MongoDB. */
@NullMarked
package io.belay.mongodb;

import org.jspecify.annotations.NullMarked;
