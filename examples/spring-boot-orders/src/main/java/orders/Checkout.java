package orders;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Shows the mistake that is refused: a transaction around the lock would commit after the lock is given back. */
@Service
public class Checkout {
    private final Orders orders;

    Checkout(Orders orders) {
        this.orders = orders;
    }

    @Transactional
    public int buy(String sku) {
        return orders.sell(sku);
    }
}
