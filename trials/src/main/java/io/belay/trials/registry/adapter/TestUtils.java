package io.belay.trials.registry.adapter;

import org.jspecify.annotations.Nullable;

/** The looks into Spring's objects. */
public final class TestUtils {
    private TestUtils() {}

    /** A context in which Spring's registry on databases looks for its table. */
    public static final class TestApplicationContext implements AutoCloseable {
        public void registerBean(String name, Object bean) {}

        public void refresh() {}

        @Override
        public void close() {}
    }

    public static TestApplicationContext createTestApplicationContext() {
        return new TestApplicationContext();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring has it
    public static <T> @Nullable T getPropertyValue(Object of, String name) {
        if (of instanceof AdaptedRegistry registry) {
            return (T) registry.property(name);
        }
        throw new IllegalArgumentException(of + " has no '" + name + "'");
    }

    public static <T> @Nullable T getPropertyValue(Object of, String name, Class<T> type) {
        return type.cast(TestUtils.<Object>getPropertyValue(of, name));
    }
}
