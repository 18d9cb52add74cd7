package io.belay.shop.web;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks what comes in an address. */
final class Names {
    private static final Pattern SKU = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_BUYER = 64;

    private Names() {}

    static String sku(String sku) {
        if (!SKU.matcher(sku).matches()) {
            throw new BadRequestException("a sku has 1 to 64 letters, digits, dots, dashes and underscores");
        }
        return sku;
    }

    static String buyer(@Nullable String buyer) {
        if (buyer == null || buyer.isEmpty()) {
            return "anonymous";
        }
        if (buyer.codePointCount(0, buyer.length()) > LONGEST_BUYER || buyer.isBlank()) {
            throw new BadRequestException("a buyer has 1 to 64 characters");
        }
        if (buyer.codePoints().anyMatch(c -> Character.isISOControl(c) || c == '\uFFFD')) {
            throw new BadRequestException("a buyer has no control characters and is written in UTF-8");
        }
        return buyer;
    }
}
