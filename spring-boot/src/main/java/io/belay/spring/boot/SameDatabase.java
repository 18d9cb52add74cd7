package io.belay.spring.boot;

import io.belay.jdbc.SqlFence;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.UrlPasswords;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Whether transactions are those of the very database that a URL says the locks are in, so that these have a fence there. Which one
 * their data source leads to is known by its first connection.
 */
final class SameDatabase implements Predicate<Connection> {
    private static final Log LOG = Log.of(LogName.SPRING);
    private static final Pattern SQL_SERVER_DATABASE =
            Pattern.compile("^jdbc:sqlserver:.*;\\s*database(?:name)?\\s*=\\s*([^;]+)");
    private static final Map<String, Integer> DEFAULT_PORTS =
            Map.of("jdbc:postgresql:", 5432, "jdbc:mysql:", 3306, "jdbc:sqlserver:", 1433);

    /** The part of a URL that means the same in capital letters; names of databases and files may not. */
    private static final Pattern WITHOUT_CASE = Pattern.compile("^[^/]*?//[^/?;]*|^jdbc:[^:]*:");

    private static final Pattern TABLE = Pattern.compile("(?i)[?&;]belay-fence=([^&;]+)");

    private final String url;
    private volatile @Nullable Boolean same;

    SameDatabase(String url) {
        this.url = url;
    }

    /** Returns whether the URL is that of a database at all. */
    static boolean mayBe(@Nullable String url) {
        return url != null && url.startsWith("jdbc:");
    }

    /** Returns the fence in the table that the URL names. */
    static SqlFence fence(@Nullable String url) {
        Matcher table = TABLE.matcher(url == null ? "" : url);
        return table.find() ? SqlFence.inTable(table.group(1)) : SqlFence.standard();
    }

    @Override
    public boolean test(Connection connection) {
        Boolean known = same;
        if (known == null) {
            String theirs = theirs(connection);
            known = place(url).equals(place(theirs));
            same = known;
            if (known) {
                LOG.info("The locks are in the database of the transactions, which are fenced there");
            } else {
                LOG.warn(
                        "The transactions are not fenced: their database ({}) has another URL than that of the locks ({},"
                                + " belay.url). Whether it is another one cannot be told for sure by that. To have them"
                                + " fenced, see that the table of a fence is there, and make a bean of the type SqlFence, or,"
                                + " beside a TransactionFence of the application, of JdbcTransactionFence",
                        place(UrlPasswords.maskUrl(theirs)),
                        place(UrlPasswords.maskUrl(url)));
            }
        }
        return known;
    }

    /**
     * Returns the URL of the transactions' database; empty if its driver has none for it.
     *
     * @throws DataAccessResourceFailureException if the connection does not tell: without its fence no transaction may go on
     */
    private static String theirs(Connection connection) {
        try {
            String told = connection.getMetaData().getURL();
            return told == null ? "" : told;
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The database of the transaction does not tell its URL, and so not whether it has the locks and the fence",
                    e);
        }
    }

    /** Returns the URL without a login, parameters and what goes without saying. Two names of one host stay two places. */
    private static String place(String url) {
        String place = WITHOUT_CASE
                .matcher(url)
                .replaceFirst(part -> Matcher.quoteReplacement(part.group().toLowerCase(Locale.ROOT)))
                .replaceFirst("[?;].*", "")
                .replaceFirst("//[^/@]*@", "//")
                .replaceFirst("^jdbc:mariadb:", "jdbc:mysql:"); // their drivers take each other's
        Matcher database = SQL_SERVER_DATABASE.matcher(url.toLowerCase(Locale.ROOT));
        return withoutDefaultPort(place) + (database.find() ? ";databasename=" + database.group(1) : "");
    }

    /** Returns the same place without the ports that are meant where none is named: of each host, if there are several. */
    private static String withoutDefaultPort(String place) {
        for (Map.Entry<String, Integer> port : DEFAULT_PORTS.entrySet()) {
            if (place.startsWith(port.getKey())) {
                return place.replaceAll(":" + port.getValue() + "(?=[,/]|$)", "");
            }
        }
        return place;
    }
}
