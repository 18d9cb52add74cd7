package io.belay.spring;

import io.belay.BelayException;

/** The refusal of a call that is for the leader only, where this process is none. The method was not called. */
public class NotLeaderException extends BelayException {
    private static final long serialVersionUID = 1;

    NotLeaderException(String message) {
        super(message, null);
    }
}
