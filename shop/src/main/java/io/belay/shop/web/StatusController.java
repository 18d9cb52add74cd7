package io.belay.shop.web;

import io.belay.shop.sale.Shop;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** The place where the state of a sale is seen: JSON for programs, a page for browsers. */
@RestController
class StatusController {
    private final Shop shop;
    private final StatusHtml html = new StatusHtml();

    StatusController(Shop shop) {
        this.shop = shop;
    }

    @GetMapping("/skus/{sku}")
    ResponseEntity<?> status(
            @PathVariable String sku, @RequestHeader(name = "Accept", defaultValue = "") String accept) {
        var status = shop.status(Names.sku(sku)).map(StatusPage::of);
        if (status.isEmpty()) {
            return Answers.refuse(HttpStatus.NOT_FOUND, sku + " is not on sale", "no-such-sku");
        }
        // Browsers name HTML, nobody else does.
        if (accept.contains(MediaType.TEXT_HTML_VALUE)) {
            return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body(html.of(status.get()));
        }
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(status.get());
    }
}
