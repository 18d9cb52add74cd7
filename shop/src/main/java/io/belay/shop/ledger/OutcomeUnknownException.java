package io.belay.shop.ledger;

import java.sql.SQLException;

/** The database broke off while it committed: the transaction is whole, but whether it is done is not known. */
public final class OutcomeUnknownException extends LedgerException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(SQLException cause) {
        super("it is not known whether the ledger has it: " + reason(cause), cause);
    }
}
