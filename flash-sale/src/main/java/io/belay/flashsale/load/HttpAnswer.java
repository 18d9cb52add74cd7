package io.belay.flashsale.load;

/**
 * An answer to a request.
 *
 * @param status the status code
 * @param retryAfterSeconds how long the server asks to wait before the next try; 0 if it does not say
 * @param body the body; read as UTF-8; empty if it could not be read to its end
 */
public record HttpAnswer(int status, int retryAfterSeconds, String body) {}
