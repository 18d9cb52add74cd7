package io.belay.shop.ledger;

/**
 * The stock of one sku.
 *
 * @param initial how many units there were
 * @param remaining how many are left to sell
 */
public record Stock(int initial, int remaining) {}
