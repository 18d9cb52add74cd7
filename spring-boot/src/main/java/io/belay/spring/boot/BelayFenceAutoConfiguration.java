package io.belay.spring.boot;

import io.belay.jdbc.SqlFence;
import io.belay.spring.JdbcTransactionFence;
import io.belay.spring.TransactionFence;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * The guard of the application's transactions. Whether there is a fence in its database goes by the store that was chosen when
 * it started, and not by what its classes or properties would have let one expect when it was built.
 */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({SqlFence.class, DataSourceUtils.class})
@ConditionalOnBean(OwnDatabase.class)
public final class BelayFenceAutoConfiguration {
    private static final String FENCED = "in which of them transactions are fenced";

    @Bean
    @ConditionalOnMissingBean
    TransactionFence belayTransactionFence(
            OwnDatabase database,
            ObjectProvider<SqlFence> fences,
            ObjectProvider<BelayConnectionDetails> stores,
            BelayProperties properties) {
        SqlFence own = fences.getIfUnique();
        if (own != null) {
            return new JdbcTransactionFence(
                    database.dataSource(FENCED, "have no bean of the type SqlFence"),
                    own,
                    properties.fence().longestWait());
        }
        boolean inDatabase = properties.jdbc().fence()
                && stores.getIfUnique() instanceof ChosenStore chosen
                && (chosen.own() == BelayProperties.Store.JDBC || SameDatabase.mayBe(chosen.url()));
        if (!inDatabase) {
            return leases -> {}; // the locks are elsewhere, and so is the table
        }
        ChosenStore chosen = (ChosenStore) stores.getObject();
        String url = chosen.url();
        DataSource source = database.dataSource(FENCED, "set belay.jdbc.fence=false");
        TransactionFence fence = new JdbcTransactionFence(
                source, SameDatabase.fence(url), properties.fence().longestWait());
        return url == null ? fence : new SameDatabase(url, source, fence);
    }
}
