package io.belay.shop.ledger;

import io.belay.support.UrlPasswords;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The ledger cannot be used, or did not do what it was asked. The message is one line without a password. */
public class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LedgerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Says what failed, and in the driver's words why. */
    static LedgerException of(String what, SQLException cause) {
        return new LedgerException(what + ": " + reason(cause), cause);
    }

    /** The first line of the innermost message: drivers add positions and stacks of their own. */
    static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        return message == null
                ? innermost.getClass().getSimpleName()
                : UrlPasswords.mask(message.lines().findFirst().orElse(""));
    }
}
