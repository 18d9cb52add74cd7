/** Locks in a SQL database, and the guard that makes fencing tokens count in one. */
@NullMarked
package io.belay.jdbc;

import org.jspecify.annotations.NullMarked;
