package io.belay.spring.boot;

import io.belay.Lease;
import io.belay.jdbc.SqlFence;
import io.belay.spring.TransactionFence;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.UrlPasswords;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The fence of locks whose store is a database by its URL: raised in transactions of that very database, and in no others. Which
 * one a data source leads to is known by its first connection.
 */
final class SameDatabase implements TransactionFence {
    private static final Log LOG = Log.of(LogName.SPRING);
    private static final Pattern SQL_SERVER_DATABASE =
            Pattern.compile("^jdbc:sqlserver:.*;\\s*database(?:name)?\\s*=\\s*([^;]+)");
    private static final Map<String, Integer> DEFAULT_PORTS =
            Map.of("jdbc:postgresql:", 5432, "jdbc:mysql:", 3306, "jdbc:sqlserver:", 1433);
    private static final Pattern TABLE = Pattern.compile("[?&;]belay-fence=([^&;]+)");

    private final String url;
    private final DataSource dataSource;
    private final TransactionFence fence;
    private volatile @Nullable Boolean same;

    SameDatabase(String url, DataSource dataSource, TransactionFence fence) {
        this.url = url;
        // Spring knows the connection of a transaction by what is behind this kind of proxy.
        DataSource behind =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        this.dataSource = behind == null ? dataSource : behind;
        this.fence = fence;
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
    public void raise(List<Lease> leases) {
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder && isSame()) {
            fence.raise(leases);
        }
    }

    private boolean isSame() {
        Boolean known = same;
        if (known == null) {
            String theirs = theirs();
            known = place(url).equals(place(theirs));
            same = known;
            if (known) {
                LOG.info("The locks are in the database of the transactions, which are fenced there");
            } else {
                LOG.warn(
                        "The transactions are not fenced: their database ({}) has another URL than that of the locks ({},"
                                + " belay.url). Whether it is another one cannot be told for sure by that. To have them"
                                + " fenced, see that the table of a fence is there, and make a bean of the type SqlFence",
                        place(UrlPasswords.mask(theirs)),
                        place(UrlPasswords.mask(url)));
            }
        }
        return known;
    }

    /**
     * Returns the URL of the transactions' database; empty if its driver has none for it.
     *
     * @throws DataAccessResourceFailureException if the connection does not tell: without its fence no transaction may go on
     */
    private String theirs() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            String told = connection.getMetaData().getURL();
            return told == null ? "" : told;
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The database of the transaction does not tell its URL, and so not whether it has the locks and the fence",
                    e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** Returns the URL without a login, parameters and what goes without saying. Two names of one host stay two places. */
    private static String place(String url) {
        String text = url.toLowerCase(Locale.ROOT);
        String place = text.replaceFirst("[?;].*", "")
                .replaceFirst("//[^/@]*@", "//")
                .replaceFirst("^jdbc:mariadb:", "jdbc:mysql:"); // their drivers take each other's
        Matcher database = SQL_SERVER_DATABASE.matcher(text);
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
