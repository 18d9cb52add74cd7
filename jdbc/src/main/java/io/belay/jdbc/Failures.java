package io.belay.jdbc;

import io.belay.spi.StoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a database's failures mean to a user. Some drivers' messages hold the URL, and so perhaps a password. */
final class Failures {
    private static final Pattern SECRET =
            Pattern.compile("(?i)(?<=password=|pwd=)[^&;,\\s\"')]*|[^\\s\"'/]*:[^\\s\"']*(?=@)");

    /** H2: a connection or the database is closed, broken, or another process has it open. */
    private static final Set<String> H2_TEMPORARY = Set.of("90007", "90020", "90067", "90098", "90121");

    /** SQLite: damaged, cannot be opened, read-only, or no database. */
    private static final Set<Integer> SQLITE_UNUSABLE = Set.of(8, 11, 14, 26);

    /** The end of a place that is gone when nobody is connected. */
    static final String IN_MEMORY = " in memory";

    private final String place;
    private final Settings settings;

    Failures(String place, Settings settings) {
        this.place = place;
        this.settings = settings;
    }

    /** What is wrong with a database that does not do as it is told. */
    StoreException of(SQLException failure) {
        return of(failure, isSecret(failure) ? null : failure);
    }

    private StoreException of(SQLException e, @Nullable SQLException cause) {
        String state = String.valueOf(e.getSQLState());
        if (isMissingTable(e)) {
            return StoreException.unusable(
                    place + " has no table " + settings.table()
                            + (place.endsWith(IN_MEMORY)
                                    ? ", as such a database ends with its last connection unless DB_CLOSE_DELAY=-1 is in the"
                                            + " URL: add that, and"
                                    : ":")
                            + " make it with 'belay schema --store URL --create', or with what that prints without"
                            + " --create, or add belay-create=true to the URL",
                    cause);
        } else if (said(e).startsWith("No suitable driver")) {
            return StoreException.unusable(
                    "no driver on the class path takes the URL of " + place + ": add that of the database", cause);
        } else if (isForbidden(e, state)) {
            return StoreException.unusable(
                    place + " forbids what is needed: the user needs SELECT, INSERT, UPDATE and DELETE on "
                            + settings.table() + " (" + said(e) + ")",
                    cause);
        } else if (state.startsWith("28") || e.getErrorCode() == 1045) {
            return StoreException.unusable(place + " refuses the user or the password", cause);
        } else if (state.startsWith("3D") || e.getErrorCode() == 1049 || e.getErrorCode() == 1044) {
            return StoreException.unusable(place + " has no database of that name for this user", cause);
        } else if (isTemporary(e, state)) {
            return StoreException.unreachable(place + " cannot be reached or does not answer: " + said(e), cause);
        }
        return StoreException.unusable(place + " fails: " + said(e), cause);
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
        if (state.startsWith("90")) {
            return H2_TEMPORARY.contains(state);
        }
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e instanceof SQLNonTransientConnectionException
                || state.startsWith("08")
                || state.startsWith("40")
                || state.startsWith("53")
                || state.startsWith("57")
                || (state.equals("null") && !SQLITE_UNUSABLE.contains(e.getErrorCode() & 0xff))
                || e.getErrorCode() == 1040;
    }

    private static boolean isSecret(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && SECRET.matcher(cause.getMessage()).find()) {
                return true;
            }
        }
        return false;
    }

    /** A driver's first line; it names hosts and users, and what might be a password is taken out. */
    private static String said(SQLException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end).strip();
        return SECRET.matcher(line).replaceAll("***");
    }
}
