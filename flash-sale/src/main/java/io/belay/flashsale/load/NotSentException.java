package io.belay.flashsale.load;

import java.io.IOException;

/** The failure to send a request: the server certainly has not seen it, and it may be sent to another. */
public final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    NotSentException(IOException cause) {
        super(cause);
    }
}
