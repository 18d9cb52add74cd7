/** A flash sale that shows what the locks do. */
@NullMarked
package io.belay.shop;

import org.jspecify.annotations.NullMarked;
