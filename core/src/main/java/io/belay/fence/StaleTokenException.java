package io.belay.fence;

import io.belay.BelayException;
import java.util.Objects;

/**
 * The refusal of a holder by a {@link Fence}: a later one has been there, so this one's lease had ended. Nothing was written.
 * Roll back what is open; what is to be done is done anew, under a new lease.
 */
public final class StaleTokenException extends BelayException {
    private static final long serialVersionUID = 1;

    private final String lock;
    private final long token;
    private final long raisedTo;

    private StaleTokenException(String lock, long token, long raisedTo) {
        super(
                "the fence of '" + lock + "' stands at token " + raisedTo + " and refuses " + token
                        + ": this lease had ended, and a later holder has been here; roll back and take the lock again"
                        + " (if tokens went back, as after a restored backup, reset the fence)",
                null);
        this.lock = lock;
        this.token = token;
        this.raisedTo = raisedTo;
    }

    /**
     * Returns the refusal of a token, for those who implement a fence.
     *
     * @param raisedTo the token at which the fence stands, which is higher
     */
    public static StaleTokenException of(FencingToken refused, long raisedTo) {
        Objects.requireNonNull(refused, "refused");
        return new StaleTokenException(refused.lock(), refused.value(), raisedTo);
    }

    /** Returns the lock's full name. */
    public String lock() {
        return lock;
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
