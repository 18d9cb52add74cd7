package io.belay.jdbc;

import io.belay.server.TlsRefusal;
import io.belay.spi.StoreException;
import io.belay.support.UrlPasswords;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * A translator of a database's failures into what they mean to a user. Some drivers' messages hold the URL, and so
 * perhaps a password, which it takes out.
 */
final class Failures {
    /**
     * What may be a password beside those of URLs, or a password's blank, is taken for one; a colon with a blank behind it is a
     * sentence's, unless a URL begins before it. The last alternative is MariaDB's driver, to which a password in front of the host
     * is a port.
     */
    private static final Pattern SECRET =
            Pattern.compile("(?i)(?<=password=|pwd=)[^&;\"')]*|(?<=//)[^\"'/]*:[^\"']*(?=@)|[^\\s\"'/]*:\\S[^\"']*(?=@)"
                    + "|(?<=incorrect port value : ).*");

    /**
     * The states of H2 for a connection or a database that is closed or broken, also for want of memory, or that another process has
     * open.
     */
    private static final Set<String> H2_TEMPORARY =
            Set.of("90007", "90020", "90028", "90067", "90098", "90108", "90121");

    /** The states in which PostgreSQL ends a connection whose transaction, be it one statement, was idle or took too long. */
    private static final Set<String> ENDED_STATES = Set.of("25P03", "25P04");

    /** The state of PostgreSQL, and the codes of MySQL and MariaDB and of H2, for what others had locked for too long. */
    private static final String LOCKED_STATE = "55P03";

    private static final Set<Integer> LOCKED_CODES = Set.of(1205, 50_200);

    /** The state of PostgreSQL and H2, and the codes of MySQL and MariaDB, for a statement that a limit or a person ended. */
    private static final String STOPPED_STATE = "57014";

    private static final Set<Integer> STOPPED_CODES = Set.of(1317, 1969, 3024);

    /** MariaDB and MySQL: a transaction that reads what is committed cannot be logged by its statements. */
    private static final int STATEMENT_LOG_CODE = 1665;

    /**
     * The codes by which MySQL and MariaDB say that there are too many connections, also of one user (1203), or that this one has
     * used up what it may have at a time or in an hour (1226), that somebody has ended a connection (1927), that this one was idle
     * for too long (4031), that they lack memory (1037, 1038, 1041), also for
     * connections (4081, 4082), locks (1206), statements of all clients (1461), threads or room on the disk (1135, 1021, 1114), that a
     * table is being changed (1412, 1615), or that they are offline or about to have another primary (3032, 3100), for whose backlog
     * a group holds all statements (3781 to 3783, 3796 to 3798); and those by which ProxySQL (9001) and RDS Proxy (9501) say that they
     * have no connection to a server. Most come with no state that tells.
     */
    private static final Set<Integer> MYSQL_TEMPORARY = Set.of(
            1021, 1037, 1038, 1040, 1041, 1114, 1135, 1203, 1206, 1226, 1412, 1461, 1615, 1927, 3032, 3100, 3781, 3782,
            3783, 3796, 3797, 3798, 4031, 4081, 4082, 9001, 9501);

    /**
     * The codes by which MySQL and MariaDB refuse an account whatever its password: one that is locked (3118, 4151), also for a time
     * by logins that failed (3955, 4150), or whose password has expired (1862).
     */
    private static final Set<Integer> REFUSED_ACCOUNT = Set.of(1862, 3118, 3955, 4150, 4151);

    /** The words for a certificate that is not liked, or cannot be read, for which PostgreSQL's driver and MariaDB's have no type. */
    private static final Pattern UNTYPED_DISTRUST = Pattern.compile(
            "(?i)hostnameverifier|hostname verification failed|self signed certificates|failed load keystore"
                    + "|has group or world access");

    /** PostgreSQL's word for what it misses: the driver shows nothing of an authority that the server does not name. */
    private static final Pattern CERTIFICATE = Pattern.compile("(?i)[cz]ertifi[ck]a");

    /** The words of PostgreSQL's driver and MariaDB's for a parameter's value that they do not know, which look like those of an outage. */
    private static final Pattern ODD_VALUE = Pattern.compile("^(Invalid \\w+ value: |error parsing url: )");

    /** The words of MySQL's driver and MariaDB's for a password that MySQL has not seen yet, so that it takes TLS or the server's key. */
    private static final Pattern UNSEEN =
            Pattern.compile("Public Key Retrieval is not allowed|RSA public key is not available");

    /** The words for a certificate whose authority is not known: the JDK's, and those of MariaDB's driver. */
    private static final Pattern UNKNOWN_AUTHORITY =
            Pattern.compile("(?i)valid certification path|any of the trust anchors|self signed certificates");

    /** MariaDB and MySQL: the disk or the table is full. */
    private static final Set<Integer> NO_ROOM_CODES = Set.of(1021, 1114);

    /** MariaDB and MySQL: a right is missing on a table, whether or not that is there. */
    private static final int DENIED_CODE = 1142;

    /** The state of an error within PostgreSQL, which Supavisor and Pgpool-II, poolers, give all of their own. */
    private static final String INTERNAL_STATE = "XX000";

    /** The state of PostgreSQL for what is not in the state for it, as a database that lets nobody in; its words are translated. */
    private static final String UNREADY_STATE = "55000";

    /**
     * The names by which Supavisor says that it has no connection left, none in time or for a while, or has just lost this one; and
     * what Pgpool-II says while it replaces a server.
     */
    private static final Pattern POOLER_TEMPORARY =
            Pattern.compile("\\((EMAX[A-Z]+|ECHECKOUTTIMEOUT|ECIRCUITBREAKER|EDBHANDLEREXITED)\\)"
                    + "|failed to create a backend connection|pgpool is not accepting any new connections");

    /** The codes by which SQLite says that a file is damaged, cannot be opened, is read-only, or is no database. */
    private static final Set<Integer> SQLITE_UNUSABLE = Set.of(8, 11, 14, 26);

    /** The ways in which a client makes what is not there; the URL of a data source is its driver's, which knows none of Belay's. */
    private static final String BY_CLIENT =
            "or have the client make it (belay-create=true in the URL that Belay is given, Jdbc.withTablesMade, or with"
                    + " Spring Boot belay.jdbc.initialize-schema=always)";

    /** The way to make a database's file that is not there. */
    static final String TO_MAKE = "make it with 'belay schema --store URL --create', " + BY_CLIENT;

    /** The code by which H2 says that there is no such database, where it is not to make one. */
    private static final int H2_MISSING = 90_146;

    /** The end of a place's name if the database is gone when nobody is connected. */
    static final String IN_MEMORY = " in memory";

    private final String place;
    private final Settings settings;
    private final FailureRecord readOnly;
    private final AtomicInteger timesReadOnly = new AtomicInteger();

    /**
     * True once a connection was made: what is wrong with a certificate then may be over soon, as one side's is renewed first, and so
     * may what fails within the server or a pooler, and the upkeep of a database that lets nobody in or is renamed for a while.
     */
    private volatile boolean connected;

    /** True if so, and the login is told anew for each: one that is refused then is being changed. */
    private volatile boolean loginChanges;

    Failures(String place, Settings settings) {
        this(place, settings, new FailureRecord(System::nanoTime));
    }

    Failures(String place, Settings settings, FailureRecord readOnly) {
        this.place = place;
        this.settings = settings;
        this.readOnly = readOnly;
    }

    /**
     * Notes that a connection was made.
     *
     * @param anotherLogin whether the next one may have another login
     */
    void connected(boolean anotherLogin) {
        connected = true;
        loginChanges = anotherLogin;
    }

    /** Returns the failure as users are told of it. */
    StoreException of(SQLException failure) {
        return of(failure, isSecret(failure) ? null : failure);
    }

    private StoreException of(SQLException e, @Nullable SQLException cause) {
        String state = String.valueOf(e.getSQLState());
        Optional<String> refused = NativeAccess.cure(e);
        if (refused.isPresent()) {
            return StoreException.unusable("the driver of " + place + " " + refused.get(), cause);
        } else if (isMissingTable(e)) {
            return StoreException.unusable(
                    place + " has no table " + settings.table()
                            + (place.endsWith(IN_MEMORY)
                                    ? ", as such a database ends with its last connection unless DB_CLOSE_DELAY=-1 is in the"
                                            + " URL: add that, and"
                                    : ":")
                            + " make it with 'belay schema --store URL --create', or with what that prints without --create, "
                            + (settings.create()
                                    ? "or have a client connect, which makes it (belay-create=true)"
                                    : BY_CLIENT),
                    cause);
        } else if (said(e).startsWith("No suitable driver")) {
            return StoreException.unusable(
                    "no driver on the class path takes the URL of " + place
                            + ": add that of the database (a command takes its jar by --driver)",
                    cause);
        } else if (ODD_VALUE.matcher(said(e)).find()) {
            return StoreException.unusable(
                    place + " is not connected to, as the driver does not understand the URL: " + said(e), cause);
        } else if (isReadOnly(e, state)) {
            return readOnly(e, cause);
        } else if (isLocked(e)) {
            return StoreException.unreachable(
                    place + " has a row of " + settings.table() + ", or all of that table, that another transaction"
                            + " keeps locked: " + said(e), // which does not tell the two apart
                    cause);
        } else if (isStopped(e)) {
            return StoreException.unreachable(
                    place + " has ended a statement before it was done, as by a time limit: give this user a longer"
                            + " one (PostgreSQL's statement_timeout, MariaDB's max_statement_time): " + said(e),
                    cause);
        } else if (isForbidden(e, state)) {
            return forbidden(settings.table(), e, cause);
        } else if (state.startsWith("28") || e.getErrorCode() == 1045 || REFUSED_ACCOUNT.contains(e.getErrorCode())) {
            String what = place + refusal(e, state);
            if (loginChanges) {
                return StoreException.unreachable(
                        what + " of the given source, as while that is changed: it is tried again", cause);
            }
            boolean renewed = connected
                    && state.equals("28000")
                    && CERTIFICATE.matcher(said(e)).find();
            return outageIf(renewed, what, cause);
        } else if (state.startsWith("3D") || e.getErrorCode() == 1049 || e.getErrorCode() == 1044) {
            String what = place + " has no database of that name for this user";
            boolean renamed = connected && e.getErrorCode() != 1044; // which is a right that is missing
            return outageIf(renamed, what, cause);
        } else if (e.getErrorCode() == H2_MISSING) {
            return StoreException.unusable(place + " has no database of that name: " + TO_MAKE, cause);
        } else if (e.getErrorCode() == STATEMENT_LOG_CODE) {
            return StoreException.unusable(
                    place + " writes its binary log by statements, which no transaction of Belay's can be: set"
                            + " binlog_format = ROW or MIXED (" + said(e) + ")",
                    cause);
        } else if (isRefusal(e, state)) {
            return StoreException.unusable(place + " refuses the connection: " + said(e), cause);
        } else if (UNSEEN.matcher(said(e)).find()) {
            String what = place + " lets nobody in without TLS whose password it has not seen since it was started ("
                    + said(e) + "): add sslMode=REQUIRED to the URL or, where nobody can tamper with the network,"
                    + " allowPublicKeyRetrieval=true";
            return outageIf(connected, what, cause);
        }
        Throwable distrust = distrust(e, state);
        if (distrust != null) {
            String reason = said(isOfOwnFile(e, distrust) ? e : distrust);
            String what = TlsRefusal.outOfDate(reason)
                    .map(complaint -> place + " " + complaint)
                    .orElse(place + " cannot be connected to by TLS: " + reason + authority(reason));
            return outageIf(connected, what, cause);
        } else if (isTemporary(e, state)) {
            return StoreException.unreachable(place + " cannot be reached or does not answer: " + said(e), cause);
        }
        return StoreException.unusable(place + " fails: " + said(e), cause);
    }

    /** Returns an outage where what is wrong may pass, else a mistake of whoever set it up. */
    private static StoreException outageIf(boolean mayPass, String what, @Nullable SQLException cause) {
        return mayPass ? StoreException.unreachable(what, cause) : StoreException.unusable(what, cause);
    }

    /**
     * Returns the words for a login that is refused. PostgreSQL tells a password from all else, as a line that pg_hba.conf lacks or a
     * certificate; MySQL and MariaDB do not tell an account that has to use TLS.
     */
    private static String refusal(SQLException e, String state) {
        int code = e.getErrorCode();
        if (code == 0 && state.equals("28000")) {
            return " refuses the connection (" + said(e) + ")";
        }
        return " refuses the user or the password"
                + (code == 1045 ? ", or demands TLS or a certificate of this user" : "")
                + (code == 1045 || REFUSED_ACCOUNT.contains(code) ? " (" + said(e) + ")" : "");
    }

    /** Returns the cure where nobody known here vouches for the server's certificate, as the end of a sentence; else nothing. */
    private String authority(String reason) {
        if (!UNKNOWN_AUTHORITY.matcher(reason).find()) {
            return "";
        }
        String parameter = place.startsWith(Dialect.POSTGRESQL.title())
                ? "sslrootcert=FILE"
                : place.startsWith(Dialect.MYSQL.title())
                        ? "serverSslCert=FILE, with MySQL's driver trustCertificateKeyStoreUrl=file:KEYSTORE,"
                        : "a parameter of its driver's";
        return ": the authority of its certificate is not known here; name the file with that one's certificate by "
                + parameter + " in the URL";
    }

    private StoreException forbidden(String table, SQLException e, @Nullable SQLException cause) {
        String said = said(e);
        String needed = said.contains("permission denied for database")
                ? "CONNECT on the database"
                : said.contains("permission denied for schema") ? "USAGE on the schema" : rights(table);
        return StoreException.unusable(
                place + " forbids what is needed: the user needs " + needed + " (" + said + ")", cause);
    }

    /** Returns the rights that a table takes: rows of the guard stay. */
    private String rights(String table) {
        return (table.equals(settings.table())
                        ? "SELECT, INSERT, UPDATE and DELETE on "
                        : "SELECT, INSERT and UPDATE on ")
                + table;
    }

    /**
     * Returns the failure to make a table: the right that this takes is another one.
     *
     * @param reading what came of reading it before; who may not read it is told so by PostgreSQL and H2 where it is there, and by
     *     MySQL and MariaDB in any case
     */
    StoreException ofMaking(String table, SQLException e, @Nullable SQLException reading) {
        if (!isForbidden(e, String.valueOf(e.getSQLState()))) {
            return of(e);
        }
        SQLException cause = isSecret(e) ? null : e;
        if (reading != null
                && isForbidden(reading, String.valueOf(reading.getSQLState()))
                && reading.getErrorCode() != DENIED_CODE) {
            return forbidden(table, reading, cause);
        }
        boolean unread = reading != null && reading.getErrorCode() == DENIED_CODE;
        return StoreException.unusable(
                place + " has no table " + table + (unread ? " that this user may read" : "")
                        + ", and this user may not make it (" + said(e)
                        + "): grant it CREATE, or make the table as another user with 'belay schema --store URL --create'"
                        + (unread ? ", or grant it " + rights(table) + " if that is there" : ""),
                cause);
    }

    /** Returns the failure of a pool that has some connections, and not enough. */
    StoreException tooFew(int had, int needed, SQLException e) {
        return StoreException.unreachable(
                place + ": the pool had " + had + " of the " + needed
                        + " connections that Belay keeps for as long as it is"
                        + " open (" + said(e) + "): make the pool larger by " + needed
                        + ", or have Belay connect by the database's URL",
                isSecret(e) ? null : e);
    }

    /** Returns whether a server is read-only: a switch-over makes it so for some seconds, a replica is so for good. */
    private static boolean isReadOnly(SQLException e, String state) {
        boolean option = e.getErrorCode() == 1290 && said(e).contains("read");
        boolean driver = state.equals("S1009") && said(e).startsWith("Connection is read-only"); // MySQL's
        return state.equals("25006") || option || driver || e.getErrorCode() == 1836;
    }

    /** Returns whether a server answers, and refuses for now what it is asked to write: it is read-only, or has no room left. */
    static boolean isRefusedForNow(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return isReadOnly(e, state) || state.startsWith("53") || NO_ROOM_CODES.contains(e.getErrorCode());
    }

    /** Returns how often a server was found to be read-only. */
    int timesReadOnly() {
        return timesReadOnly.get();
    }

    /**
     * Fails if a server was found to be read-only since then: another one may have been put in its place, while a connection
     * from before shows what is no longer true.
     */
    void checkReadOnlySince(int times) {
        if (timesReadOnly() != times) {
            throw StoreException.unreachable(place + " is connected to anew, as it was read-only", null);
        }
    }

    private StoreException readOnly(SQLException e, @Nullable Throwable cause) {
        timesReadOnly.incrementAndGet(); // for whatever time: the next one may be in its place by now
        if (readOnly.mayPass()) {
            return StoreException.unreachable(place + " is read-only now: " + said(e), cause);
        }
        return StoreException.unusable(
                place + " stays read-only: if it is a replica, connect to the server that may be written to (with"
                        + " PostgreSQL all hosts and targetServerType=primary in the URL), else turn off PostgreSQL's"
                        + " default_transaction_read_only or MySQL's read_only: " + said(e),
                cause);
    }

    /** Returns whether a statement was given up as another transaction has kept a row or the table locked. */
    static boolean isLocked(SQLException e) {
        return LOCKED_STATE.equals(e.getSQLState()) || LOCKED_CODES.contains(e.getErrorCode());
    }

    /** Returns whether the server has ended a statement, and that alone. */
    static boolean isStopped(SQLException e) {
        return STOPPED_STATE.equals(e.getSQLState()) || STOPPED_CODES.contains(e.getErrorCode());
    }

    static boolean isMissingTable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P01")
                || state.equals("42S02")
                || state.equals("42S03")
                || state.equals("42S04")
                || said(e).contains("no such table");
    }

    /** Returns whether PostgreSQL does not compare bytes with a column of text, in which it stores them all the same. */
    static boolean isOfAnotherType(SQLException e) {
        return "42883".equals(e.getSQLState());
    }

    private static boolean isForbidden(SQLException e, String state) {
        return state.equals("42501") || e.getErrorCode() == DENIED_CODE || e.getErrorCode() == 90_096;
    }

    /** Returns whether PostgreSQL's driver has refused what the server asks for; where MySQL's has that state there is a code. */
    private static boolean isRefusal(SQLException e, String state) {
        return state.equals("08004") && e.getErrorCode() == 0;
    }

    /**
     * Returns what a side does not like of the other's certificate, or of the files of its own; null if it is not that. A
     * handshake that breaks off is something else: the server may be about to end.
     */
    private static @Nullable Throwable distrust(SQLException e, String state) {
        if (!state.startsWith("08")) {
            return null;
        } else if (UNTYPED_DISTRUST.matcher(said(e)).find()) {
            return e.getCause() instanceof IOException cause ? cause : e; // which names the file
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLPeerUnverifiedException
                    || cause instanceof CertificateException
                    || (cause instanceof FileNotFoundException && state.equals("08006"))
                    || (cause instanceof SSLHandshakeException && !(cause.getCause() instanceof IOException))) {
                return cause;
            }
        }
        return null;
    }

    /** Returns whether what is not liked is a file of this client's, and not what the other side has sent. */
    private static boolean isOfOwnFile(SQLException e, Throwable distrust) {
        return distrust instanceof FileNotFoundException
                || (distrust instanceof CertificateException && distrust == e.getCause());
    }

    /** Returns whether a host was there, and it or this client has refused the other. */
    static boolean isRefused(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return isRefusal(e, state) || distrust(e, state) != null;
    }

    private boolean isTemporary(SQLException e, String state) {
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
                || ENDED_STATES.contains(state)
                || (state.equals("null") && !SQLITE_UNUSABLE.contains(e.getErrorCode() & 0xff))
                || state.equals("70100")
                || (state.equals(INTERNAL_STATE)
                        && (connected || POOLER_TEMPORARY.matcher(said(e)).find()))
                || (state.equals(UNREADY_STATE) && connected)
                || MYSQL_TEMPORARY.contains(e.getErrorCode());
    }

    private static boolean isSecret(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && !masked(cause.getMessage()).equals(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first line of a driver's message, without what might be a password; it names hosts and users. */
    private static String said(Throwable e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end).strip();
        return masked(line);
    }

    private static String masked(String text) {
        return UrlPasswords.mask(SECRET.matcher(text).replaceAll("***"));
    }
}
