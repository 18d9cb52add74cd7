package io.belay.trials.registry.adapter;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** What Spring's test context would inject, and mocks, which are nothing here. */
public final class Standins {
    private Standins() {}

    /** Returns a registry or a client of its own, or a context that has them; null for what a database needs. */
    public static <T> @Nullable T of(Class<T> type) {
        if (type == JdbcLockRegistry.class) {
            return type.cast(new JdbcLockRegistry(new DefaultLockRepository(null)));
        } else if (type == LockRepository.class) {
            return type.cast(new DefaultLockRepository(null));
        } else if (ApplicationContext.class.isAssignableFrom(type)) {
            GenericApplicationContext context = new GenericApplicationContext();
            context.registerBean(
                    JdbcLockRegistry.class,
                    () -> new JdbcLockRegistry(new DefaultLockRepository(null)),
                    definition -> definition.setScope("prototype"));
            context.refresh();
            return type.cast(context);
        }
        return null;
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // as Mockito has it
    public static <T> @Nullable T mock() {
        return null;
    }
}
