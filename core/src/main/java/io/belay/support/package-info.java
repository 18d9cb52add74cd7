/**
 * What the engine and Belay's own modules share, besides the contract with stores: the log, one line for a message, clocks, URLs,
 * file systems. It knows nobody. It is exported to these modules alone, and may change at any time.
 */
@NullMarked
package io.belay.support;

import org.jspecify.annotations.NullMarked;
