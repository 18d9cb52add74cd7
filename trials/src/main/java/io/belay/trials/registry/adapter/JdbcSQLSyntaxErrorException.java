package io.belay.trials.registry.adapter;

/** H2's exception for a table that is not there. */
public final class JdbcSQLSyntaxErrorException extends RuntimeException {
    private static final long serialVersionUID = 1;
}
