/**
 * The implementation: here the client, and below it floors, each of which knows those beneath alone ({@code jfr} and {@code time},
 * {@code machine}, {@code claim}, {@code gate}, {@code primitive}; docs/architecture.md shows the ways through them). Types are public
 * where another floor needs them; the module exports none.
 */
@NullMarked
package io.belay.internal;

import org.jspecify.annotations.NullMarked;
