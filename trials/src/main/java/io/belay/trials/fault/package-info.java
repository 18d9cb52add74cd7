/** The stores, the clients and the network as they are killed, stopped and cut off. */
@NullMarked
package io.belay.trials.fault;

import org.jspecify.annotations.NullMarked;
