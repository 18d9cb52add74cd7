package io.belay.spring.boot;

import io.belay.jdbc.Fence;
import io.belay.spring.JdbcTransactionFence;
import io.belay.spring.TransactionFence;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** The guard of the application's transactions, where there is a fence for its database. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({Fence.class, DataSourceUtils.class})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBean(Fence.class)
public final class FenceAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    TransactionFence belayTransactionFence(DataSource dataSource, Fence fence, BelayProperties properties) {
        return new JdbcTransactionFence(dataSource, fence, properties.fence().longestWait());
    }
}
