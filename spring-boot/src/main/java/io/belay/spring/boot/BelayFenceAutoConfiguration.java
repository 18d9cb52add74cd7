package io.belay.spring.boot;

import io.belay.jdbc.SqlFence;
import io.belay.spring.JdbcTransactionFence;
import io.belay.spring.TransactionFence;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.UrlVariables;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
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
    private static final Log LOG = Log.of(LogName.SPRING);
    private static final String NAME = "belayTransactionFence";
    private static final String FENCED = "in which of them transactions are fenced";

    /**
     * Makes one beside those of the application, which may be for other databases: a bean of its name alone is in its place. Beside
     * others it is raised only where the locks are and they are not, as there may be no table for it anywhere else.
     */
    @Bean
    @ConditionalOnMissingBean(name = NAME)
    TransactionFence belayTransactionFence(
            OwnDatabase database,
            ObjectProvider<SqlFence> fences,
            ObjectProvider<BelayConnectionDetails> stores,
            BelayProperties properties,
            ListableBeanFactory beans) {
        if (!properties.jdbc().fence()) {
            return leases -> {}; // nobody wants any
        }
        List<String> others = others(beans);
        SqlFence own = others.isEmpty() ? own(fences) : null; // else it may be that of one of them
        if (own != null) {
            return fence(database.dataSource(FENCED, "have no bean of the type SqlFence"), own, properties);
        }
        BelayConnectionDetails store = stores.getIfUnique();
        String url = store instanceof ChosenStore its && its.url() != null ? UrlVariables.expand(its.url()) : null;
        if (!(store instanceof ChosenStore chosen)
                || (chosen.own() != BelayProperties.Store.JDBC && !SameDatabase.mayBe(url))) {
            if (others.isEmpty()) {
                tellIfItMayBe(store);
            }
            return leases -> {}; // the locks are elsewhere, and so is the table
        }
        if (!others.isEmpty() && !database.isKnown()) {
            return leases -> {}; // the others say in which of them transactions are fenced
        }
        DataSource source = database.dataSource(FENCED, "set belay.jdbc.fence=false");
        JdbcTransactionFence fence = fence(source, SameDatabase.fence(url), properties)
                .where(connection -> others.stream()
                        .noneMatch(
                                name -> beans.getBean(name) instanceof JdbcTransactionFence its && its.isOf(source)));
        return url == null ? fence : fence.where(new SameDatabase(url));
    }

    /** Returns the names of the application's own fences, and makes none of them, which may want this one. */
    private static List<String> others(ListableBeanFactory beans) {
        return Stream.of(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, TransactionFence.class, true, false))
                .filter(name -> !name.equals(NAME))
                .toList();
    }

    private static @Nullable SqlFence own(ObjectProvider<SqlFence> fences) {
        try {
            return fences.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new SetupException(
                    "The application has several beans of the type SqlFence, and nothing says in the table of which of them"
                            + " transactions are fenced: " + e.getMessage() + ".",
                    "Mark one of them @Primary, or set belay.jdbc.fence=false.");
        }
    }

    private static JdbcTransactionFence fence(DataSource source, SqlFence fence, BelayProperties properties) {
        return SetupException.ofProperties(
                "The property belay.fence.longest-wait",
                () -> new JdbcTransactionFence(source, fence, properties.fence().longestWait()));
    }

    /**
     * Tells of locks that may be in the database all the same.
     *
     * @param store how to connect to it; null if the application has made its client
     */
    private static void tellIfItMayBe(@Nullable BelayConnectionDetails store) {
        if (store == null || (store instanceof GivenStore given && given.isDatabase())) {
            LOG.info("The transactions are not fenced: the application connects to its locks by a bean of its own"
                    + " (Belay or BelayConnectionDetails), which does not tell whether they are in the database"
                    + " of the transactions. If they are, see that the table of a fence is there, and make a"
                    + " bean of the type SqlFence; if not, belay.jdbc.fence=false says so");
        }
    }
}
