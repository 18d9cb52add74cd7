package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.StoreException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // a clock that wraps
    private final Failures failures = new Failures("X at h", Settings.DEFAULT, new FailureRecord(now::get));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "User b already has more than 'max_user_connections' active connections | 42000 | 1203",
                "User 'b' has exceeded the 'max_user_connections' resource (current value: 5) | 42000 | 1226",
                "too many connections | 08004 | 1040",
                "The client was disconnected by the server because of inactivity | HY000 | 4031",
                "The server is currently in offline mode | HY000 | 3032",
                "Error on observer while running replication hook 'before_commit' | HY000 | 3100",
                "Timeout exceeded for held statement while new Group Replication primary member is applying backlog. | HY000 | 3781",
                "Held statement aborted because Group Replication plugin got shut down | HY000 | 3782",
                "Held statement was aborted due to member being in error state | HY000 | 3783",
                "The option group_replication_consistency cannot be used on the current member state. | HY000 | 3796",
                "Error while waiting for group transactions commit on group_replication_consistency= BEFORE. | HY000 | 3797",
                "Error while waiting for transactions with group_replication_consistency= AFTER to commit. | HY000 | 3798",
                "Can't create more than max_prepared_stmt_count statements (current value: 1) | 42000 | 1461",
                "Prepared statement needs to be re-prepared | HY000 | 1615",
                "The total number of locks exceeds the lock table size | HY000 | 1206",
                "Table definition has changed, please retry transaction | HY000 | 1412",
                "Can't create a new thread (errno 11) | HY000 | 1135",
                "Disk full (/tmp); waiting for someone to free some space | HY000 | 1021",
                "The table 'belay_lock' is full | HY000 | 1114",
                "Max connect timeout reached while reaching hostgroup 1 after 10000ms | HY000 | 9001",
                "Lock wait timeout exceeded | HY000 | 1205",
                "Lock wait timeout exceeded; try restarting transaction | 40001 | 1205",
                "canceling statement due to lock timeout | 55P03 | 0",
                "Timeout trying to lock table | HYT00 | 50200",
                "FATAL: (EMAXCONNSESSION) max clients reached in session mode - limited to pool_size: 15 | XX000 | 0",
                "FATAL: (EMAXCONN) max client connections reached, limit: 200 | XX000 | 0",
                "FATAL: (ECHECKOUTTIMEOUT) Pool checkout timeout. | XX000 | 0",
                "FATAL: (ECIRCUITBREAKER) too many failed attempts | XX000 | 0",
                "FATAL: (EDBHANDLEREXITED) connection to database closed. | XX000 | 0",
                "FATAL: failed to create a backend connection | XX000 | 0",
                "FATAL: pgpool is not accepting any new connections | XX000 | 0",
                "terminating connection due to administrator command | 57P01 | 0",
                "the database system is starting up | 57P03 | 0",
                "sorry, too many clients already | 53300 | 0",
                "FATAL: terminating connection due to transaction timeout | 25P04 | 0",
                "FATAL: terminating connection due to idle-in-transaction timeout | 25P03 | 0",
                "Connection closed. Global connection memory limit 2 bytes exceeded. Consumed 3 bytes. | HY000 | 4081",
                "Connection closed. Connection memory limit 2 bytes exceeded. Consumed 3 bytes. | HY000 | 4082",
                "Out of memory; restart server and try again (needed 2 bytes) | HY001 | 1037",
                "Out of sort memory, consider increasing server sort buffer size | HY001 | 1038",
                "Out of memory; check if mysqld or some other process uses all available memory | HY000 | 1041",
                "Timed-out waiting to acquire database connection | HY000 | 9501",
                "Out of memory. | 90108 | 90108"
            })
    void mayPass(String message, String state, int code) {
        StoreException told = failures.of(new SQLException(message, state, code));
        assertThat(told.isTemporary()).isTrue();
        assertThat(told).hasMessageContaining(message);
    }

    /** The server is there, and answers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ERROR: canceling statement due to statement timeout | 57014 | 0",
                "ERROR: canceling statement due to user request | 57014 | 0",
                "Statement was canceled or the session timed out | 57014 | 57014",
                "the statement was interrupted | 70100 | 1317",
                "Query execution was interrupted (max_statement_time exceeded) | 70100 | 1969",
                "Query execution was interrupted, maximum statement execution time exceeded | HY000 | 3024"
            })
    void aStatementThatTheServerEndsMayPassAndIsToldAsThat(String message, String state, int code) {
        StoreException told = failures.of(new SQLException(message, state, code));
        assertThat(told.isTemporary()).isTrue();
        assertThat(told)
                .hasMessageContainingAll(" has ended a statement ", "statement_timeout", "max_statement_time", message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "is not understood: jdbc:x://u:geheim word@h/d | is not understood: ***@h/d",
                "is not understood: jdbc:x://u: geheim@h/d | is not understood: ***@h/d",
                "write what it understands: u:geheim word@h | write what it understands: ***@h",
                "write what it understands: Incorrect port value : geheim@h | write what it understands: Incorrect port value : ***",
                "ask this one: admin@example | ask this one: admin@example"
            })
    void aPasswordIsMaskedAndNotTheSentenceBeforeIt(String message, String shown) {
        assertThat(failures.of(new SQLException(message, "S1009"))).hasMessageContaining(shown);
    }

    /** As MariaDB's driver tells a URL that it does not understand. The exception itself shows it, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb:h/d?credentialType=AWS-IAM&accessKeyId=AK&secretKey=geheim",
                "jdbc:mariadb:h/d?user=u&keyStorePassword=geheim&ssl=true",
                "jdbc:postgresql://h/d?sslpassword=geheim"
            })
    void aSecretOfAUrlIsMasked(String url) {
        StoreException told =
                failures.of(new SQLException("url parsing error : '//' is not present in the url " + url));
        assertThat(told).hasNoCause().hasMessageNotContaining("geheim").hasMessageContaining("=***");
    }

    /** To try again at once helps against others who were quicker, not against one who keeps a row. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MYSQL | Deadlock found when trying to get lock | 40001 | 1213 | true",
                "MYSQL | Lock wait timeout exceeded; try restarting transaction | 40001 | 1205 | false",
                "MYSQL | Lock wait timeout exceeded | HY000 | 1205 | false",
                "H2 | Deadlock detected | 40001 | 40001 | true",
                "H2 | Timeout trying to lock table | HYT00 | 50200 | false",
                "POSTGRESQL | could not serialize access | 40001 | 0 | true",
                "POSTGRESQL | canceling statement due to lock timeout | 55P03 | 0 | false"
            })
    void isLostToOthers(Dialect dialect, String message, String state, int code, boolean lost) {
        SQLException failure = new SQLException(message, state, code);
        assertThat(dialect.isLost(failure)).isEqualTo(lost);
        assertThat(failures.of(failure).isTemporary()).isTrue();
        if (!lost) {
            assertThat(failures.of(failure))
                    .hasMessageContaining("or all of that table, that another transaction keeps locked");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cannot execute INSERT in a read-only transaction | 25006 | 0",
                "The MariaDB server is running with the --read-only option | HY000 | 1290",
                "Running in read-only mode | HY000 | 1836",
                "Connection is read-only. Queries leading to data modification are not allowed | S1009 | 0"
            })
    void readOnlyMayPassForHalfAMinute(String message, String state, int code) {
        SQLException failure = new SQLException(message, state, code);
        for (int second = 0; second < 30; second += 3) {
            assertThat(failures.of(failure).isTemporary())
                    .as("after %s s", second)
                    .isTrue();
            now.addAndGet(Duration.ofSeconds(3).toNanos());
        }
        int times = failures.timesReadOnly();
        assertThat(failures.of(failure).isTemporary()).isFalse();
        assertThatThrownBy(() -> failures.checkReadOnlySince(times))
                .as("another may be in its place by now, as the switch-over took so long")
                .hasMessage("X at h is connected to anew, as it was read-only");
        assertThat(failures.of(failure))
                .hasMessageContainingAll("targetServerType=primary", "default_transaction_read_only", "read_only: ");
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(failures.of(failure).isTemporary()).as("the next time").isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR: could not open file 'base/1/2'",
                "FATAL: (ENOTFOUND) tenant/user b not found",
                "FATAL: unable to read data from DB node 0",
                "ERROR: tuple concurrently updated"
            })
    void errorsWithinPostgresStayUnlessTheClientWasConnected(String message) {
        SQLException failure = new SQLException(message, "XX000");
        assertThat(failures.of(failure).isTemporary()).isFalse();
        failures.connected(false);
        assertThat(failures.of(failure).isTemporary()).isTrue();
    }

    /** As PostgreSQL's driver does it: the server answers, and is refused each time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "The server requested SCRAM-based authentication, but no password was provided.",
                "The server does not support SSL."
            })
    void whatADriverRefusesStays(String message) {
        StoreException told = failures.of(new SQLException(message, "08004"));
        assertThat(told.isTemporary()).isFalse();
        assertThat(told).hasMessage("X at h refuses the connection: " + message);
    }

    private static SQLException byTls(Throwable cause) {
        return new SQLException("SSL error: " + cause.getMessage(), "08006", cause);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FATAL: no pg_hba.conf entry for host \"::1\", user \"u@a\", database \"d\", no encryption",
                "FATAL: connection requires a valid client certificate"
            })
    void whatServersSayOfALoginIsToldUnlessItIsThePassword(String message) {
        assertThat(failures.of(new SQLException(message, "28000")))
                .hasMessage("X at h refuses the connection (" + message + ")");
        assertThat(failures.of(new SQLException("Wrong user name or password", "28000", 28_000)))
                .hasMessage("X at h refuses the user or the password");
    }

    /** The driver shows none of an authority that the server does not name. */
    @Test
    void aCertificateThatPostgresMissesMayBeTakenLaterIfTheClientWasConnected() {
        SQLException missed = new SQLException("FATAL: connection requires a valid client certificate", "28000");
        SQLException unlisted = new SQLException("FATAL: no pg_hba.conf entry for host \"::1\"", "28000");
        assertThat(failures.of(missed).isTemporary()).isFalse();
        failures.connected(false);
        assertThat(failures.of(missed).isTemporary()).isTrue();
        assertThat(failures.of(unlisted).isTemporary()).isFalse();
    }

    /** A server says it in a language of its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "FATAL: database \"shop\" is not currently accepting connections",
                "FATAL: Datenbank »shop« akzeptiert gegenwärtig keine Verbindungen"
            })
    void aDatabaseThatLetsNobodyInMayDoSoLaterIfTheClientWasConnected(String message) {
        SQLException closed = new SQLException(message, "55000");
        assertThat(failures.of(closed).isTemporary()).isFalse();
        failures.connected(false);
        assertThat(failures.of(closed).isTemporary()).isTrue();
    }

    /** As while it is renamed, or dropped and made anew. A right that is missing is another matter. */
    @Test
    void aDatabaseThatIsGoneMayComeBackIfTheClientWasConnected() {
        List<SQLException> gone = List.of(
                new SQLException("FATAL: database \"shop\" does not exist", "3D000"),
                new SQLException("Unknown database 'shop'", "42000", 1049));
        SQLException denied = new SQLException("Access denied for user 'b'@'%' to database 'shop'", "42000", 1044);
        assertThat(gone).noneMatch(failure -> failures.of(failure).isTemporary());
        failures.connected(false);
        assertThat(gone).allMatch(failure -> failures.of(failure).isTemporary());
        assertThat(failures.of(denied).isTemporary()).isFalse();
    }

    /** MySQL forgets as it is restarted whom it has let in by TLS, and anybody of that user may remind it. */
    @ParameterizedTest
    @CsvSource({
        "Public Key Retrieval is not allowed, 08001",
        "RSA public key is not available client side (option serverRsaPublicKeyFile not set), S1009"
    })
    void aPasswordThatMySqlHasNotSeenIsAnOutageIfTheClientWasConnected(String message, String state) {
        SQLException unseen = new SQLException(message, state);
        StoreException told = failures.of(unseen);
        assertThat(told.isTemporary()).isFalse();
        assertThat(told)
                .hasMessageContainingAll(
                        " lets nobody in without TLS ",
                        "(" + message + ")",
                        "sslMode=REQUIRED",
                        "allowPublicKeyRetrieval=true");
        failures.connected(false);
        assertThat(failures.of(unseen).isTemporary()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FATAL: permission denied for database \"shop\" | CONNECT on the database",
                "ERROR: permission denied for schema public | USAGE on the schema",
                "ERROR: permission denied for table belay_lock | SELECT, INSERT, UPDATE and DELETE on belay_lock"
            })
    void theRightThatIsMissingIsNamed(String message, String right) {
        assertThat(failures.of(new SQLException(message, "42501")))
                .hasMessage("X at h forbids what is needed: the user needs " + right + " (" + message + ")");
    }

    @Test
    void certificatesThatAreRefusedStayUnlessTheClientWasConnected() {
        SSLException untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(new CertificateException("no valid path"));
        List<SQLException> refused = List.of(
                byTls(untrusted),
                byTls(new SSLHandshakeException("Received fatal alert: unknown_ca")),
                byTls(new IOException(new CertificateException("expired"))),
                byTls(new FileNotFoundException("/no/such.crt")),
                new SQLException("private key file \"k\" has group or world access; file must have ...", "08006"),
                new SQLException("The hostname h could not be verified by hostnameverifier x.", "08006"));
        for (boolean connected : new boolean[] {false, true}) {
            for (SQLException failure : refused) {
                StoreException told = failures.of(failure);
                assertThat(told.isTemporary()).as("%s", failure).isEqualTo(connected);
                assertThat(told).hasMessageStartingWith("X at h cannot be connected to by TLS: ");
            }
            failures.connected(false);
        }
    }

    @Test
    void ofAFileOfItsOwnAConnectedClientWaitsUntilItIsRenewed() {
        SQLException gone = new SQLException("Could not open a.crt.", "08006", new FileNotFoundException("a.crt"));
        SQLException half = new SQLException("Loading a.crt failed.", "08006", new CertificateException("Incomplete"));
        for (SQLException own : List.of(gone, half)) {
            assertThat(failures.of(own).isTemporary()).isFalse();
        }
        failures.connected(false);
        for (SQLException own : List.of(gone, half)) {
            StoreException told = failures.of(own);
            assertThat(told.isTemporary()).isTrue();
            assertThat(told).hasMessage("X at h cannot be connected to by TLS: " + own.getMessage());
        }
    }

    @Test
    void aLoginIsRefusedForNowWhereTheNextOneMayBeAnother() {
        SQLException refused = new SQLException("password authentication failed", "28P01");
        assertThat(failures.of(refused).isTemporary()).isFalse();
        failures.connected(false);
        assertThat(failures.of(refused).isTemporary()).as("one of the URL's").isFalse();
        failures.connected(true);
        assertThat(failures.of(refused).isTemporary()).isTrue();
    }

    /** As tries with the former password do while it is changed. The message has the cure, which is another one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Access denied for user 'b'@'%'. Account is locked. | 3118",
                "Access denied, this account is locked | 4151",
                "Access denied for user 'b'@'%'. Account is blocked for 1 day(s) | 3955",
                "User is blocked because of too many credential errors; unblock with 'FLUSH PRIVILEGES' | 4150",
                "Your password has expired. To log in you must change it | 1862"
            })
    void anAccountIsRefusedForNowWhereTheNextLoginMayBeAnother(String message, int code) {
        SQLException refused = new SQLException(message, "HY000", code);
        assertThat(failures.of(refused).isTemporary()).isFalse();
        failures.connected(true);
        StoreException told = failures.of(refused);
        assertThat(told.isTemporary()).isTrue();
        assertThat(told).hasMessageContainingAll("refuses the user or the password (" + message + ")", "given source");
    }

    @Test
    void whereAHandshakeOrItsConnectionBreaksOffThatMayPass() {
        SSLException ended = new SSLHandshakeException("Remote host terminated the handshake");
        ended.initCause(new EOFException("SSL peer shut down incorrectly"));
        SSLException reset = new SSLException("Connection reset", new SocketException("Connection reset"));
        for (Throwable cause : List.of(ended, reset, new EOFException(), new SocketException("Broken pipe"))) {
            assertThat(failures.of(byTls(cause)).isTemporary()).as("%s", cause).isTrue();
        }
        SQLException file = new SQLException("IO Exception", "90028", 90_028, new FileNotFoundException("x.mv.db"));
        assertThat(failures.of(file).isTemporary()).as("a file of H2's").isTrue();
    }

    @Test
    void whatElseMySqlsDriverRefusesStays() {
        SQLException failure = new SQLException("No value specified for parameter 1", "S1009", 0);
        assertThat(failures.of(failure).isTemporary()).isFalse();
    }

    @Test
    void otherOptionsThatForbidAStatementStay() {
        SQLException failure = new SQLException("running with the --secure-file-priv option", "HY000", 1290);
        assertThat(failures.of(failure).isTemporary()).isFalse();
    }

    @Test
    void whoHasTablesMadeIsNotToldTo() {
        SQLException missing = new SQLException("relation \"belay_lock\" does not exist", "42P01");
        assertThat(failures.of(missing))
                .as("with a data source the URL is not Belay's")
                .hasMessageContainingAll("belay-create=true", "Jdbc.withTablesMade", "belay.jdbc.initialize-schema");
        assertThat(new Failures("X at h", Settings.DEFAULT.with("create", "true")).of(missing))
                .hasMessageNotContaining("withTablesMade")
                .hasMessageContaining("has no table belay_lock")
                .hasMessageContaining("belay schema");
    }
}
