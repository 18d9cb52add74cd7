package io.belay.spring.boot;

import io.belay.jdbc.Jdbc;
import io.belay.spi.StoreOpener;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.util.ClassUtils;

/**
 * The application's own database: the one of its data source, of the primary one, or of the one that a property names, whoever
 * has made it. Locks in it have connections of their own, as the data source would make them.
 *
 * @param beans where the data sources are
 * @param properties what the application says of its database
 */
record OwnDatabase(ListableBeanFactory beans, BelayProperties.Jdbc properties) {
    /**
     * Returns its data source.
     *
     * @param unsaid what nothing says if there are several, for the message
     * @param otherwise what to do where none of them is meant
     * @throws SetupException if there are several, and nothing says which
     */
    DataSource dataSource(String unsaid, String otherwise) {
        String wanted = properties.dataSource();
        DataSource found = wanted == null ? unique() : named(wanted);
        if (found == null) {
            throw new SetupException(
                    wanted == null
                            ? "The application has several databases (the DataSources " + names()
                                    + "), and nothing says " + unsaid + "."
                            : "belay.jdbc.data-source is '" + wanted + "', and no DataSource is called that.",
                    "Set belay.jdbc.data-source to one of " + names() + ", mark one of them @Primary, or " + otherwise
                            + ".");
        }
        return found;
    }

    /** Returns whether something says which one it is. */
    boolean isKnown() {
        return properties.dataSource() != null || unique() != null;
    }

    /** Returns the only one, or the primary; null if there are several. */
    private @Nullable DataSource unique() {
        return beans.getBeanProvider(DataSource.class).getIfUnique();
    }

    private @Nullable DataSource named(String name) {
        try {
            return beans.getBean(name, DataSource.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            return null;
        }
    }

    private String names() {
        return Arrays.stream(beans.getBeanNamesForType(DataSource.class))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Returns what the application knows it by. */
    String place() {
        return url().isPresent()
                ? "the application's database (spring.datasource)"
                : "the application's database (DataSource " + names() + ")";
    }

    /** Returns it as a store of locks, over connections of Belay's own and never out of its pool, where that can be. */
    StoreOpener store() {
        DataSource source = dataSource("in which of them its locks are", "set belay.url");
        // With a URL the locks of SQLite have a file of their own, beside the one that transactions lock as a whole.
        Jdbc database = url().filter(url -> url.startsWith("jdbc:sqlite:") && isDetailed(source))
                .map(Jdbc::at)
                .orElseGet(() -> Jdbc.in(ByBoot.isThere(beans) ? ByBoot.pool(source) : source));
        String table = properties.table();
        Jdbc chosen = table == null
                ? database
                : SetupException.ofProperties("The property belay.jdbc.table", () -> database.withTable(table));
        return isToBeMade(source) ? chosen.withTablesMade() : chosen;
    }

    private boolean isToBeMade(DataSource source) {
        return switch (properties.initializeSchema()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case EMBEDDED -> ByBoot.isThere(beans) && ByBoot.isEmbedded(this, source);
        };
    }

    /** Returns whether Spring Boot's details are of that source: one that a property names may be another, beside theirs. */
    private boolean isDetailed(DataSource source) {
        return source == unique();
    }

    /** Returns the URL by which Spring Boot connects to it; empty if the application has made the data source. */
    private Optional<String> url() {
        return ByBoot.isThere(beans) ? ByBoot.url(beans) : Optional.empty();
    }

    /** What needs Spring Boot's module for databases, in a class that is loaded only where that is. */
    private static final class ByBoot {
        static boolean isThere(ListableBeanFactory beans) {
            return ClassUtils.isPresent(
                    "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails",
                    beans.getClass().getClassLoader());
        }

        private static Optional<JdbcConnectionDetails> details(ListableBeanFactory beans) {
            return Optional.ofNullable(
                    beans.getBeanProvider(JdbcConnectionDetails.class).getIfUnique());
        }

        static Optional<String> url(ListableBeanFactory beans) {
            return details(beans).map(JdbcConnectionDetails::getJdbcUrl);
        }

        /** Returns the source that is behind a proxy of {@code spring.datasource.connection-fetch=lazy}, else the same. */
        static DataSource pool(DataSource source) {
            DataSource behind =
                    source instanceof LazyConnectionDataSourceProxy lazy ? lazy.getTargetDataSource() : null;
            return behind == null ? source : behind;
        }

        static boolean isEmbedded(OwnDatabase database, DataSource source) {
            return details(database.beans)
                    .filter(known -> database.isDetailed(source))
                    .map(known -> EmbeddedDatabaseConnection.isEmbedded(known.getDriverClassName(), known.getJdbcUrl()))
                    .orElseGet(() -> EmbeddedDatabaseConnection.isEmbedded(source));
        }
    }
}
