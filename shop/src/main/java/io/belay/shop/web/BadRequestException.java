package io.belay.shop.web;

/** A failure because what was asked for cannot be. The message goes to the client. */
final class BadRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadRequestException(String message) {
        super(message);
    }
}
