package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.SaleStatus;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A node of the shop. Thread-safe. */
public final class Shop {
    private final Ledger ledger;
    private final OrderDesk desk;
    private final Registers registers;
    // What is on sale once stays so. Names that are not are asked for each time, so that they cannot fill the memory.
    private final Set<String> onSale = ConcurrentHashMap.newKeySet();

    public Shop(Ledger ledger, OrderDesk desk, Registers registers) {
        this.ledger = ledger;
        this.desk = desk;
        this.registers = registers;
    }

    /**
     * Takes an order. Blocks at most for a look into the ledger, not for the lock.
     *
     * @return what came of it; empty if there is no such sku, or not one that this node can sell
     */
    public Optional<CompletableFuture<Outcome>> order(String sku, String buyer) {
        if (!onSale.contains(sku)) {
            if (ledger.stock(sku).filter(desk::sells).isEmpty()) {
                return Optional.empty();
            }
            onSale.add(sku);
        }
        return Optional.of(desk.order(sku, buyer).whenComplete((outcome, failure) -> {
            if (outcome != null) {
                registers.add(sku, outcome);
            }
        }));
    }

    /** The sale of a sku on all nodes; empty if there is no such sku. */
    public Optional<SaleStatus> status(String sku) {
        return registers.status(sku);
    }
}
