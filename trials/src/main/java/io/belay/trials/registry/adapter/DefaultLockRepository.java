package io.belay.trials.registry.adapter;

import io.belay.Belay;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

/** A client: each of Spring's repositories stands for a process. */
public final class DefaultLockRepository implements LockRepository {
    private @Nullable Belay belay;

    public DefaultLockRepository(@Nullable DataSource unused) {}

    synchronized Belay client() {
        if (belay == null) {
            belay = Clients.open();
        }
        return belay;
    }

    public void setApplicationContext(@Nullable ApplicationContext unused) {}

    public void setTransactionManager(@Nullable PlatformTransactionManager unused) {}

    public void setPrefix(String unused) {}

    public void afterPropertiesSet() {}

    public void afterSingletonsInstantiated() {}

    public void deleteExpired() {}

    @Override
    public void close() {}
}
