/** The books of a sale in a SQL database: the stock, the orders, the fence and the counts. */
@NullMarked
package io.belay.shop.ledger;

import org.jspecify.annotations.NullMarked;
