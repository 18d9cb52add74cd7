/** The flash sale: shop nodes as processes, a load on them, and the report. */
@NullMarked
package io.belay.flashsale;

import org.jspecify.annotations.NullMarked;
