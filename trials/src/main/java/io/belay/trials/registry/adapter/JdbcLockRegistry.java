package io.belay.trials.registry.adapter;

import java.time.Duration;

/** What stands in place of Spring's registry on databases. */
public class JdbcLockRegistry extends AdaptedRegistry {
    private static final String NAMESPACE = "jdbc";

    public JdbcLockRegistry(LockRepository client) {
        super(((DefaultLockRepository) client).client(), NAMESPACE, null);
    }

    public JdbcLockRegistry(LockRepository client, Duration timeToLive) {
        super(((DefaultLockRepository) client).client(), NAMESPACE, timeToLive);
    }

    /** Tests override it; Belay's names are the keys. */
    protected String pathFor(String input) {
        return input;
    }
}
