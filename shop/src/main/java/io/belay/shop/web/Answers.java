package io.belay.shop.web;

import io.belay.shop.sale.Outcome;
import io.belay.shop.sale.Outcome.Reason;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** Outcomes as HTTP. */
final class Answers {
    private Answers() {}

    /**
     * The reason why an order was not taken.
     *
     * @param error for people
     * @param reason for programs
     */
    record Refusal(String error, String reason) {}

    static ResponseEntity<Object> of(Outcome outcome) {
        if (outcome instanceof Outcome.Sold sold) {
            return ResponseEntity.status(HttpStatus.CREATED).body(sold.order());
        }
        if (outcome instanceof Outcome.SoldOut) {
            return refuse(HttpStatus.CONFLICT, "sold out", "sold-out");
        }
        if (outcome instanceof Outcome.TryAgain again) {
            return tryAgain(again.message(), again.reason());
        }
        Outcome.Unknown unknown = (Outcome.Unknown) outcome;
        return refuse(HttpStatus.INTERNAL_SERVER_ERROR, unknown.message(), "unknown");
    }

    static ResponseEntity<Object> tryAgain(String message, Reason reason) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header("Retry-After", "1")
                .body(new Refusal(message, word(reason)));
    }

    static ResponseEntity<Object> refuse(HttpStatus status, String message, String reason) {
        return ResponseEntity.status(status).body(new Refusal(message, reason));
    }

    /** A constant as programs like to read it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
