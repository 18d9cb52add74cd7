/** Selling: the lock, the ways to write a sale, and what came of an order. */
@NullMarked
package io.belay.shop.sale;

import org.jspecify.annotations.NullMarked;
