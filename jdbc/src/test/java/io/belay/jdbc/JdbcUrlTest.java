package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.StoreMisconfiguredException;
import io.belay.spi.StoreException;
import io.belay.support.UrlPasswords;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {
    private static final Pattern SECRET = Pattern.compile("(?i)secret|passw|pwd|token");

    /** Parameters about passwords that are none. */
    private static final Pattern NO_SECRET = Pattern.compile("(?i)encoding|callback|expired");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h/d?user=u&password=p | POSTGRESQL | PostgreSQL at h",
                "jdbc:postgresql://h/d?user=u&password=p? | POSTGRESQL | PostgreSQL at h",
                "jdbc:postgresql://h/d?user=u&password=p?&sslmode=verify-full | POSTGRESQL | PostgreSQL at h",
                "jdbc:postgresql://h:5433/d | POSTGRESQL | PostgreSQL at h:5433",
                "jdbc:postgresql://a:1,b:2/d?targetServerType=primary | POSTGRESQL | PostgreSQL at a:1,b:2",
                "jdbc:postgresql:d | POSTGRESQL | PostgreSQL",
                "jdbc:mysql://h:3306/d?user=u | MYSQL | MySQL or MariaDB at h:3306",
                "jdbc:mysql://u:geheim@h:3306/d | MYSQL | MySQL or MariaDB at h:3306",
                "jdbc:mysql://u:ge@heim@h:3306/d | MYSQL | MySQL or MariaDB at h:3306",
                "jdbc:mysql://u:ge/heim@h/d | MYSQL | MySQL or MariaDB at h",
                "jdbc:mysql://u:ge?heim@h/d | MYSQL | MySQL or MariaDB",
                "jdbc:mysql://address=(host=h)(password=geheim)/d | MYSQL | MySQL or MariaDB",
                "jdbc:mysql:replication://h:1,[::1]:2/d | MYSQL | MySQL or MariaDB at h:1,[::1]:2",
                "jdbc:mariadb://h/d?user=u | MYSQL | MySQL or MariaDB at h",
                "jdbc:mariadb://h/d?password=a//u:geheim@x | MYSQL | MySQL or MariaDB at h",
                "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1 | H2 | H2",
                "jdbc:h2:mem:x | H2 | H2 in memory",
                "jdbc:h2:tcp://h:9092/./x;USER=u | H2 | H2 at h:9092",
                "jdbc:sqlite:file:x?mode=memory&cache=shared | SQLITE | SQLite",
                "jdbc:sqlite:file::memory:?cache=shared | SQLITE | SQLite"
            })
    void goesToTheDriverAsItIs(String url, Dialect dialect, String place) {
        JdbcUrl parsed = JdbcUrl.parse(url);
        assertThat(parsed.driver()).isEqualTo(url);
        assertThat(parsed.dialect()).isEqualTo(dialect);
        assertThat(parsed.place()).isEqualTo(place);
        assertThat(parsed.settings()).isEqualTo(Settings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:mysql://localhost/d?user=u | true",
                "jdbc:mariadb://127.0.0.1:3306,[::1]:3307/d | true",
                "jdbc:mysql://u:geheim@LocalHost?a=b | true",
                "jdbc:mariadb:///d | true",
                "jdbc:mysql:replication://localhost,h/d | false",
                "jdbc:mysql://localhost.example.com/d | false",
                "jdbc:mysql://localhost@h/d | false",
                "jdbc:mariadb://h/d?password=a@localhost | false",
                "jdbc:mariadb://h/d?password=//localhost/ | false",
                "jdbc:mysql://address=(host=localhost)/d | false",
                " | false"
            })
    void whetherItLeadsToThisMachineAlone(String url, boolean local) {
        assertThat(JdbcUrl.isLocal(url)).isEqualTo(local);
    }

    @Test
    void eachHostIsTheFirstOnce() {
        assertThat(JdbcUrl.byHost("jdbc:postgresql://a:1,b,[::1]:2/d?password=a:1,b,c"))
                .containsExactly(
                        "jdbc:postgresql://a:1,b,[::1]:2/d?password=a:1,b,c",
                        "jdbc:postgresql://b,[::1]:2,a:1/d?password=a:1,b,c",
                        "jdbc:postgresql://[::1]:2,a:1,b/d?password=a:1,b,c");
        assertThat(JdbcUrl.byHost("jdbc:postgresql://a/d")).containsExactly("jdbc:postgresql://a/d");
        assertThat(JdbcUrl.byHost("jdbc:postgresql:d")).containsExactly("jdbc:postgresql:d");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h/d?belay-table=t | jdbc:postgresql://h/d",
                "jdbc:postgresql://h/d?Belay-Table=t&BELAY-CREATE=true | jdbc:postgresql://h/d",
                "jdbc:postgresql://h/d?belay-table=t&user=u&password=p | jdbc:postgresql://h/d?user=u&password=p",
                "jdbc:postgresql://h/d?user=u&belay-table=t&password=p | jdbc:postgresql://h/d?user=u&password=p",
                "jdbc:postgresql://h/d?user=u&password=p&belay-table=t | jdbc:postgresql://h/d?user=u&password=p",
                "jdbc:postgresql://h/d?belay-create=true&user=u&belay-table=t | jdbc:postgresql://h/d?user=u",
                "jdbc:postgresql://h/d?belay-create=true&belay-table=t&user=u | jdbc:postgresql://h/d?user=u",
                "jdbc:postgresql://h/d?belay-table=t&password=p? | jdbc:postgresql://h/d?password=p?",
                "jdbc:postgresql://h/d?password=p?&belay-table=t | jdbc:postgresql://h/d?password=p?",
                "jdbc:postgresql://h/d?belay-table=t&password=p?&belay-create=true&sslmode=verify-full"
                        + " | jdbc:postgresql://h/d?password=p?&sslmode=verify-full",
                "jdbc:sqlite:x.db?belay-table=t&belay-own-file=false&belay-timeout=2s | jdbc:sqlite:x.db",
                "jdbc:sqlite:x.db?Belay-Own-File=false&belay-table=t | jdbc:sqlite:x.db",
                "jdbc:h2:mem:x;belay-table=t | jdbc:h2:mem:x",
                "jdbc:h2:mem:x;belay-table=t;DB_CLOSE_DELAY=-1 | jdbc:h2:mem:x;DB_CLOSE_DELAY=-1",
                "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1;belay-table=t | jdbc:h2:mem:x;DB_CLOSE_DELAY=-1"
            })
    void whatIsBelaysIsTakenOutWhereverItStands(String url, String driver) {
        JdbcUrl parsed = JdbcUrl.parse(url);
        assertThat(parsed.driver()).isEqualTo(driver);
        assertThat(parsed.settings().table()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:sqlite:x.db | jdbc:sqlite:x.db.belay | jdbc:sqlite:x.db",
                "jdbc:sqlite:/d/x.db?journal_mode=WAL&belay-table=t | jdbc:sqlite:/d/x.db.belay"
                        + " | jdbc:sqlite:/d/x.db?journal_mode=WAL",
                "jdbc:sqlite:x.db?journal_mode=MEMORY | jdbc:sqlite:x.db.belay"
                        + " | jdbc:sqlite:x.db?journal_mode=MEMORY",
                "jdbc:sqlite:x.db?journal_mode=memory&cache=shared | jdbc:sqlite:x.db.belay?cache=shared"
                        + " | jdbc:sqlite:x.db?journal_mode=memory&cache=shared",
                "jdbc:sqlite:file:/d/x.db?belay-own-file=true&cache=shared | jdbc:sqlite:file:/d/x.db.belay?cache=shared"
                        + " | jdbc:sqlite:file:/d/x.db?cache=shared"
            })
    void ofSqliteTheLocksAreInAFileOfTheirOwn(String url, String locks, String guarded) {
        JdbcUrl parsed = JdbcUrl.parse(url);
        assertThat(parsed.driver()).isEqualTo(locks);
        assertThat(parsed.guarded()).isNotNull();
        assertThat(parsed.guarded().driver()).isEqualTo(guarded);
        assertThat(parsed.guarded().settings()).isEqualTo(parsed.settings());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:",
                "jdbc:sqlite:file:x?mode=memory",
                "jdbc:sqlite:file:x?vfs=unix&mode=Memory&journal_mode=WAL",
                "jdbc:h2:mem:",
                "jdbc:h2:mem:;DB_CLOSE_DELAY=-1"
            })
    void aDatabaseThatEachConnectionHasForItselfIsRefused(String url) {
        assertThatThrownBy(() -> JdbcUrl.parse(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("in memory", "each connection has for itself");
    }

    /** Its driver logs the password, or the whole URL, or asks the name servers for it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://u:geheim@h/d | has a user before the host",
                "jdbc:postgresql://u:geheim@h:5432/d?sslmode=require | has a user before the host",
                "jdbc:postgresql://u:geheim@h?belay-create=true | has a user before the host",
                "jdbc:postgresql://h?user=u&password=geheim | has no / behind the host",
                "jdbc:postgresql://u:1?geheim@h/d | has no / behind the host",
                "jdbc:postgresql://h:5432 | has no / behind the host",
                "jdbc:postgresql://h:5432/shop/?user=u&password=geheim | has a second /",
                "jdbc:postgresql://u:2024/geheim@h/d | has a second /",
                "jdbc:postgresql://corp/u:geheim@h/d | has a second /",
                "jdbc:postgresql:///d/?password=geheim | has a second /",
                "jdbc:postgresql://u:geheim/x@h | has a port that is no number",
                "jdbc:postgresql://a:1,b:geheim/d | has a port that is no number",
                "jdbc:postgresql://[::1]:x/d?password=geheim | has a port that is no number"
            })
    void whatPostgresDriverDoesNotUnderstandIsKeptFromIt(String url, String message) {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Handler handler = new StreamHandler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry);
            }
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            for (ConnectMode mode : ConnectMode.values()) {
                BelayOptions options = BelayOptions.defaults().withConnectMode(mode);
                assertThatThrownBy(() -> Belay.connect(url, options).close())
                        .isInstanceOf(StoreMisconfiguredException.class)
                        .hasMessageContaining(message)
                        .hasMessageNotContaining("geheim");
            }
        } finally {
            root.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:///d",
                "jdbc:postgresql:///",
                "jdbc:postgresql://",
                "jdbc:postgresql://?service=locks",
                "jdbc:postgresql://?user=u&password=p/q",
                "jdbc:postgresql:d@x",
                "jdbc:postgresql://h/a@b:c?user=u@x:y",
                "jdbc:postgresql://[::1],[::2]:1,h:65535,[fe80::1%eth0]/d"
            })
    void whatPostgresDriverUnderstandsIsNotRefused(String url) {
        assertThat(JdbcUrl.parse(url).driver()).isEqualTo(url);
    }

    @Test
    void allParameters() {
        String url =
                "jdbc:mariadb://h/d?belay-table=own.locks&belay-fence=own.fence&belay-timeout=250ms&belay-create=true";
        assertThat(JdbcUrl.parse(url).settings())
                .isEqualTo(new Settings("own.locks", "own.fence", Duration.ofMillis(250), true, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2562047788015215H30M7.999999999S", "PT-0.001S", "P12D", "PT0.099S"})
    void aTimeOutThatIsNoneIsToldWithItsRange(Duration timeout) {
        Jdbc jdbc = Jdbc.at("jdbc:h2:mem:x");
        assertThatThrownBy(() -> jdbc.withTimeout(timeout))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessage("The time-out of a database must be between 100ms and 10m");
    }

    /** H2 refuses a setting that comes twice, and knows each in any capitals. */
    @ParameterizedTest
    @ValueSource(strings = {"NETWORK_TIMEOUT=700", "network_timeout=700", "user=sa;Network_Timeout=700"})
    void aSettingOfH2IsTheUsersInAnyCapitals(String settings) {
        DriverOrigin origin = new DriverOrigin("jdbc:h2:mem:capitals;" + settings, new Properties());
        Properties defaults = Dialect.H2.timeouts(Duration.ofSeconds(5));
        assertThatCode(() -> origin.connect(defaults).close()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "belay-tabel=t | not known; those of Belay are belay-bell, belay-create, belay-fence, belay-table, belay-timeout",
                "belay-table | name of the table",
                "belay- | not known; those of Belay are",
                "belay-table= | name of the table",
                "belay-table=a b | name of the table",
                "belay-table=a.b.c | name of the table",
                "belay-fence=1a | name of the fence table",
                "belay-timeout=5 | 'belay-timeout' that is not like 500ms, 2s or 1m",
                "belay-timeout=99ms | between 100ms and 10m",
                "belay-timeout=11m | between 100ms and 10m",
                "belay-own-file=true | with SQLite belay-own-file",
                "belay-create=yes | 'belay-create' that is neither true nor false"
            })
    void aWrongParameterIsNamedAndNothingElse(String parameter, String message) {
        for (String url : new String[] {
            "jdbc:postgresql://h/d?password=geheim&" + parameter, "jdbc:postgresql://u:geheim@h/d?" + parameter
        }) {
            assertThatThrownBy(() -> JdbcUrl.parse(url))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(message)
                    .hasMessageNotContaining("geheim");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:oracle:thin:u/geheim@h", "jdbc:", "jdbc:postgresql", "postgresql://u:geheim@h"})
    void otherDatabasesAreRefusedWithTheNamesOfThese(String url) {
        assertThatThrownBy(() -> Jdbc.at(url))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContainingAll("postgresql:", "mysql:", "mariadb:", "h2:", "sqlite:")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void variablesOfTheEnvironment() {
        Path directory = Path.of(System.getenv("HOME"), "belay-no-such-directory");
        Jdbc missing = Jdbc.at("jdbc:sqlite:${HOME}/belay-no-such-directory/x.db");
        assertThatThrownBy(() -> Belay.connect(missing, BelayOptions.defaults()))
                .hasMessageContaining("no file " + directory.resolve("x.db"));
        assertThatThrownBy(() -> Jdbc.at("jdbc:postgresql://h/d?password=geheim${BELAY_NO_SUCH}"))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("BELAY_NO_SUCH")
                .hasMessageNotContaining("geheim");
    }

    /** Whatever is printed or logged goes through that mask; a driver's next version may have another one. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://h/d", "jdbc:mysql://h/d", "jdbc:mariadb://h/d"})
    void theSecretsThatTheDriversKnowAreMasked(String url) throws SQLException {
        assertThat(DriverManager.getDriver(url).getPropertyInfo(url, new Properties()))
                .extracting(parameter -> parameter.name)
                .filteredOn(name ->
                        SECRET.matcher(name).find() && !NO_SECRET.matcher(name).find())
                .isNotEmpty()
                .allSatisfy(name -> {
                    String given = url + "?" + name + "=geheim&ssl=true";
                    assertThat(UrlPasswords.maskUrl(given)).isEqualTo(url + "?" + name + "=***&ssl=true");
                    assertThat(new Failures("X", Settings.DEFAULT).of(new SQLException("not understood: " + given)))
                            .hasNoCause()
                            .hasMessageNotContaining("geheim");
                });
    }

    /** The value of a variable may be a password with such a thing in it. */
    @Test
    void whatIsPutInForAVariableIsNotLookedThroughForOthers() {
        String url = "jdbc:postgresql://h/d?password=pa${BELAY_NO_SUCH}x";
        assertThat(JdbcUrl.parse(url).driver()).isEqualTo(url);
        assertThat(new JdbcStoreProvider().schema(url)).isPresent();
    }
}
