package io.belay.shop.web;

import io.belay.shop.ledger.LedgerException;
import io.belay.shop.sale.Outcome.Reason;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/** Failures as one line each. */
@RestControllerAdvice
class Errors {
    private static final Logger log = LoggerFactory.getLogger(Errors.class);

    @ExceptionHandler
    ResponseEntity<Object> bad(BadRequestException e) {
        return Answers.refuse(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()), "bad-request");
    }

    @ExceptionHandler
    ResponseEntity<Object> bad(InvalidParameterException e) {
        return Answers.refuse(HttpStatus.BAD_REQUEST, "the address is not well-formed", "bad-request");
    }

    /** A page or the first look at a sku; nothing was sold. */
    @ExceptionHandler
    ResponseEntity<Object> ledger(LedgerException e) {
        log.warn("{}", e.getMessage());
        return Answers.tryAgain(String.valueOf(e.getMessage()), Reason.LEDGER_UNAVAILABLE);
    }

    /** Whoever has gone is told nothing more, and nothing has failed here. */
    @ExceptionHandler
    void gone(AsyncRequestNotUsableException e) {}

    @ExceptionHandler
    ResponseEntity<Object> other(Exception e) {
        if (e instanceof ErrorResponse response && response.getStatusCode() instanceof HttpStatus status) {
            return Answers.refuse(status, status.getReasonPhrase(), Answers.word(status));
        }
        log.warn("unforeseen", e);
        return Answers.refuse(HttpStatus.INTERNAL_SERVER_ERROR, "this node failed", "unknown");
    }
}
