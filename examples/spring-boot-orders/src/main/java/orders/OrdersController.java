package orders;

import io.belay.BelayException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrdersController {
    private final Orders orders;
    private final Checkout checkout;

    OrdersController(Orders orders, Checkout checkout) {
        this.orders = orders;
        this.checkout = checkout;
    }

    @PostMapping("/orders/{sku}")
    int order(@PathVariable String sku) {
        return orders.sell(sku);
    }

    @PostMapping("/checkout/{sku}")
    int checkout(@PathVariable String sku) {
        return checkout.buy(sku);
    }

    /** The lock was not to be had, or was lost: nothing was sold, and the caller may try again. */
    @ExceptionHandler
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String notSold(BelayException e) {
        return e.getMessage();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String refused(IllegalStateException e) {
        return e.getMessage();
    }
}
