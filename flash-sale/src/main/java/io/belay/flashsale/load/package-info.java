/** A load of orders over HTTP, at the cost of one thread and one plain socket for each client. */
@NullMarked
package io.belay.flashsale.load;

import org.jspecify.annotations.NullMarked;
