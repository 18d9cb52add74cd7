/**
 * What Belay's own stores share when they look at a server: its clock, the faults of its version, the clients that are connected. It
 * is exported to them alone, and may change at any time.
 */
@NullMarked
package io.belay.server;

import org.jspecify.annotations.NullMarked;
