/** Text that users are shown. */
@NullMarked
package io.belay.shop.text;

import org.jspecify.annotations.NullMarked;
