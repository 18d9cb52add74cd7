package io.belay.jdbc;

import io.belay.BelayException;

/** The refusal of a holder by a {@link Fence}: a later one has been there, so this one's lease had ended. Roll back. */
public class StaleTokenException extends BelayException {
    private static final long serialVersionUID = 1;

    private final long token;
    private final long raisedTo;

    StaleTokenException(String lock, long token, long raisedTo) {
        super(
                "the fence of '" + lock + "' stands at token " + raisedTo + " and refuses " + token
                        + ": this lease had ended, and a later holder has been here; roll back and take the lock again"
                        + " (if tokens went back, as after a restored backup, reset the fence)",
                null);
        this.token = token;
        this.raisedTo = raisedTo;
    }

    /** Returns the token that was refused. */
    public long token() {
        return token;
    }

    /** Returns the token to which a later holder had raised the fence. */
    public long raisedTo() {
        return raisedTo;
    }
}
