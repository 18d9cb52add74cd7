package io.belay.shop.web;

import io.belay.shop.sale.Shop;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The place where orders are placed. GET does what POST does, for load generators that know no other method. */
@RestController
class OrderController {
    private final Shop shop;

    OrderController(Shop shop) {
        this.shop = shop;
    }

    @RequestMapping(
            path = "/skus/{sku}/orders",
            method = {RequestMethod.POST, RequestMethod.GET})
    CompletableFuture<ResponseEntity<Object>> order(
            @PathVariable String sku, @RequestParam(required = false) @Nullable String buyer) {
        return shop.order(Names.sku(sku), Names.buyer(buyer))
                .map(outcome -> outcome.thenApply(Answers::of))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        Answers.refuse(HttpStatus.NOT_FOUND, sku + " is not on sale", "no-such-sku")));
    }
}
