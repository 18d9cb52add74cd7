/** {@code belay dashboard}, which serves a live page of all locks. */
@NullMarked
package io.belay.cli.dashboard;

import org.jspecify.annotations.NullMarked;
