package io.belay.flashsale;

import java.nio.file.Path;

/**
 * The place of a sale.
 *
 * @param directory the directory of what goes with the sale
 * @param store the URL of the locks' store, as it was given
 * @param ledger the ledger's JDBC URL, as it was given
 * @param sku what is sold
 */
record Site(Path directory, String store, String ledger, String sku) {
    /** Returns the path of the status page. */
    String statusPath() {
        return "/skus/" + sku;
    }

    /** Returns the path that takes orders. */
    String orderPath() {
        return statusPath() + "/orders";
    }
}
