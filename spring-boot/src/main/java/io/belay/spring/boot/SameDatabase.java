package io.belay.spring.boot;

import io.belay.Lease;
import io.belay.jdbc.SqlFence;
import io.belay.spring.TransactionFence;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The fence of locks whose store is a database by its URL: raised in transactions of that very database, and in no others. Which
 * one a data source leads to is known by its first connection.
 */
final class SameDatabase implements TransactionFence {
    private static final Log LOG = Log.of(LogName.SPRING);
    private static final Pattern TABLE = Pattern.compile("[?&;]belay-fence=([^&;]+)");

    private final String url;
    private final DataSource dataSource;
    private final TransactionFence fence;
    private volatile @Nullable Boolean same;

    SameDatabase(String url, DataSource dataSource, TransactionFence fence) {
        this.url = url;
        this.dataSource = dataSource;
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
            known = place(url).equals(place(theirs()));
            same = known;
            if (known) {
                LOG.info("The locks are in the database of the transactions, which are fenced there");
            } else {
                LOG.warn("The locks are in another database (belay.url) than the transactions, which are not fenced."
                        + " Have the table of a fence made there, and make a bean of the type SqlFence");
            }
        }
        return known;
    }

    private String theirs() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            return "";
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** Returns the URL without a login and parameters. */
    private static String place(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//").toLowerCase(Locale.ROOT);
    }
}
