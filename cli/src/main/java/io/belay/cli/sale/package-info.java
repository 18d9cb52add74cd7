/** The flash sale: shop nodes as processes, a load on them, and the report. */
@NullMarked
package io.belay.cli.sale;

import org.jspecify.annotations.NullMarked;
