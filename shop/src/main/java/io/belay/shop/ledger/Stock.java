package io.belay.shop.ledger;

/**
 * The stock of one sku, of all its segments together.
 *
 * @param initial how many units there were
 * @param remaining how many are left to sell
 * @param segments into how many segments it is divided; 0 if it is not
 */
public record Stock(int initial, int remaining, int segments) {}
