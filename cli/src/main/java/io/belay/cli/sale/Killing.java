package io.belay.cli.sale;

/**
 * A node that was killed on purpose.
 *
 * @param node its name
 * @param afterSeconds after how long a sale
 * @param unitsLeft how many units were not sold yet
 * @param heldLock whether it certainly held the lock
 * @param at when, in milliseconds since 1970
 */
record Killing(String node, double afterSeconds, int unitsLeft, boolean heldLock, long at) {}
