package io.belay.cli.load;

import java.io.IOException;

/** The server certainly has not seen the request: it may be sent to another. */
public final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    NotSentException(IOException cause) {
        super(cause);
    }
}
