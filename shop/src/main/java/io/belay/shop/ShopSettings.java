package io.belay.shop;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The settings of a node of the shop, given by properties {@code belay.shop.*} in a file, or by environment variables
 * {@code BELAY_SHOP_*}; the URLs are in {@code ShopUrls}.
 *
 * @param node the node's name, of its own among all nodes
 * @param ledgerUser the ledger's user, if the URL does not name it
 * @param ledgerPassword the ledger's password, if the URL does not hold it
 * @param strategy what stands between two orders for the same unit
 * @param segments into how many segments a stock is divided when it is put on sale for the strategy "striped"
 * @param guard whether the ledger refuses a holder of the lock that has been succeeded
 * @param lease for how long the lock stays taken when its holder dies
 * @param longestWait for how long an order waits for the lock
 * @param work how long a sale takes between reading the stock and writing it back
 * @param sku what to put on sale at the start, if it is not on sale already
 * @param stock how many units of it
 * @param stopWithParent whether to stop when the standard input ends
 */
@ConfigurationProperties("belay.shop")
public record ShopSettings(
        @DefaultValue("node-1") String node,
        @Nullable String ledgerUser,
        @Nullable String ledgerPassword,
        @DefaultValue("lock") Strategy strategy,
        @DefaultValue("20") int segments,
        @DefaultValue("on") boolean guard,
        @DefaultValue("30s") Duration lease,
        @Name("wait") @DefaultValue("60s") Duration longestWait,
        @DefaultValue("2ms") Duration work,
        @Nullable String sku,
        @DefaultValue("1000") int stock,
        @DefaultValue("false") boolean stopWithParent) {

    /** The most segments of a stock, more than can work side by side on one machine. */
    public static final int MOST_SEGMENTS = 1_000;

    /** The ways to keep two orders from the same unit. */
    public enum Strategy {
        /** A lock on the stock. */
        LOCK,
        /** A lock on each of the segments into which the stock is divided. */
        STRIPED,
        /** A lock, under which all who wait on a node are served together. */
        BATCH,
        /** The absence of any lock. */
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns into how many segments a new stock is divided; 0 for not at all. */
    int divided() {
        return strategy == Strategy.STRIPED ? segments : 0;
    }

    /** Checks what the types do not. */
    public ShopSettings {
        if (node.isBlank() || node.length() > 64) {
            throw new IllegalArgumentException("belay.shop.node must have 1 to 64 characters");
        }
        if (longestWait.isNegative() || work.isNegative()) {
            throw new IllegalArgumentException("belay.shop.wait and belay.shop.work must not be negative");
        }
        if (segments < 1 || segments > MOST_SEGMENTS) {
            throw new IllegalArgumentException("belay.shop.segments must be from 1 to " + MOST_SEGMENTS);
        }
        if (stock < 1) {
            throw new IllegalArgumentException("belay.shop.stock must be at least 1");
        }
    }

    /** Returns a text of the settings without the password. */
    @Override
    public String toString() {
        return "node " + node + ", strategy " + strategy + ", guard " + guard;
    }
}
