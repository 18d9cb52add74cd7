package io.belay.spring;

import io.belay.BelayException;
import org.jspecify.annotations.Nullable;

/** The refusal of a call whose lock was not to be had in time; the message says who has it. The method was not called. */
public class LockNotAcquiredException extends BelayException {
    private static final long serialVersionUID = 1;

    LockNotAcquiredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
