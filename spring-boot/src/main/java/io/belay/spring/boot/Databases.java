package io.belay.spring.boot;

import io.belay.jdbc.Jdbc;
import io.belay.spring.boot.BelayProperties.InitializeSchema;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The application's database as a store of locks, over connections of Belay's own and never out of its pool. */
final class Databases {
    private Databases() {}

    static Jdbc of(JdbcConnectionDetails details, BelayProperties.Jdbc properties) {
        String url = details.getJdbcUrl();
        String user = details.getUsername();
        String password = details.getPassword();
        Jdbc database = user == null ? Jdbc.at(url) : Jdbc.at(url, user, password == null ? "" : password);
        if (properties.table() != null) {
            database = database.withTable(properties.table());
        }
        return isToBeMade(url, properties.initializeSchema()) ? database.withTablesMade() : database;
    }

    private static boolean isToBeMade(String url, InitializeSchema when) {
        return when == InitializeSchema.ALWAYS
                || (when == InitializeSchema.EMBEDDED && EmbeddedDatabaseConnection.isEmbedded("", url));
    }
}
