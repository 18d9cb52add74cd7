package io.belay.jdbc;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The provider of stores in SQL databases, for URLs that begin with {@code jdbc:postgresql:}, {@code jdbc:mysql:},
 * {@code jdbc:mariadb:}, {@code jdbc:h2:} and {@code jdbc:sqlite:}.
 */
public final class JdbcStoreProvider implements StoreProvider {
    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public JdbcStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        JdbcUrl parsed = JdbcUrl.parse(url);
        return Jdbc.open(Connections.of(parsed.openedBy(parsed.settings())), client, listener);
    }

    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        return Optional.of(Schema.ddl(JdbcUrl.parse(url)));
    }

    @Override
    public void prepare(String url) {
        Objects.requireNonNull(url, "url");
        try (Connections source = Connections.of(JdbcUrl.parse(url))) {
            Schema.create(source);
            Schema.checkFence(source);
        }
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        return Examination.of(Connections.of(JdbcUrl.parse(url).ofExisting()));
    }
}
