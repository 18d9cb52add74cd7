/** A client process: its threads work under locks, and write down each step. */
@NullMarked
package io.belay.trials.client;

import org.jspecify.annotations.NullMarked;
