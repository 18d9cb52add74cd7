/**
 * All that a client decides about one lock, as a deterministic machine: no clock, no thread, no I/O. Whoever has it says what
 * happens and when, and does what it calls for.
 */
@org.jspecify.annotations.NullMarked
package io.belay.internal.machine;
