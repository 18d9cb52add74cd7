package io.belay.jdbc;

import io.belay.spi.StoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;

/** What a database's failures mean to a user. */
final class Failures {
    private final String place;
    private final Settings settings;

    Failures(String place, Settings settings) {
        this.place = place;
        this.settings = settings;
    }

    /** What is wrong with a database that does not do as it is told. */
    StoreException of(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (isMissingTable(e)) {
            return StoreException.unusable(
                    place + " has no table " + settings.table()
                            + ": make it with 'belay schema --store URL --create', or with what that prints without"
                            + " --create, or add belay-create=true to the URL",
                    e);
        } else if (said(e).startsWith("No suitable driver")) {
            return StoreException.unusable(
                    "no driver on the class path takes the URL of " + place + ": add that of the database", e);
        } else if (isForbidden(e, state)) {
            return StoreException.unusable(
                    place + " forbids what is needed: the user needs SELECT, INSERT, UPDATE and DELETE on "
                            + settings.table() + " (" + said(e) + ")",
                    e);
        } else if (state.startsWith("28") || e.getErrorCode() == 1045) {
            return StoreException.unusable(place + " refuses the user or the password", e);
        } else if (state.startsWith("3D") || e.getErrorCode() == 1049 || e.getErrorCode() == 1044) {
            return StoreException.unusable(place + " has no database of that name for this user", e);
        } else if (isTemporary(e, state)) {
            return StoreException.unreachable(place + " cannot be reached or does not answer: " + said(e), e);
        }
        return StoreException.unusable(place + " fails: " + said(e), e);
    }

    static boolean isMissingTable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P01")
                || state.equals("42S02")
                || state.equals("42S03")
                || state.equals("42S04")
                || said(e).contains("no such table");
    }

    private static boolean isForbidden(SQLException e, String state) {
        return state.equals("42501") || e.getErrorCode() == 1142 || e.getErrorCode() == 90_096;
    }

    private static boolean isTemporary(SQLException e, String state) {
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e instanceof SQLNonTransientConnectionException
                || state.startsWith("08")
                || state.startsWith("40")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.equals("null")
                || state.startsWith("90")
                || e.getErrorCode() == 1040;
    }

    /** A driver's first line; it names hosts and users, and no passwords. */
    private static String said(SQLException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end).strip();
    }
}
