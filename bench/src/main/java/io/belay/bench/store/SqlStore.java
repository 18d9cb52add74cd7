package io.belay.bench.store;

import io.belay.BelayAdmin;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.ServerProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** A server of a SQL database: the machine's own PostgreSQL or MariaDB. */
final class SqlStore implements StoreServer {
    /** The most connections: all libraries of a case stay connected, whichever has its round. */
    private static final int CONNECTIONS = 300;

    private final ServerProcess server;
    private final String url;
    private final String kind;
    private final String peersSchema;

    /**
     * @param kind the name of the script that empties the database, and makes in it what does not come with a library
     * @param peersSchema the script of Spring Integration's tables, as it comes with that
     */
    private SqlStore(ServerProcess server, String url, String kind, String peersSchema) {
        this.server = server;
        this.url = url;
        this.kind = kind;
        this.peersSchema = peersSchema;
    }

    static SqlStore postgresql() throws IOException, InterruptedException {
        if (!PostgresServer.isInstalled()) {
            throw new IOException(
                    "there are no programs 'initdb' and 'postgres': install PostgreSQL (Debian: postgresql)");
        }
        PostgresServer server = PostgresServer.builder()
                .withoutFsync()
                .options("-c", "max_connections=" + CONNECTIONS)
                .start();
        return new SqlStore(server, server.url(), "postgresql", "schema-postgresql.sql");
    }

    static SqlStore mariadb() throws IOException, InterruptedException {
        if (!MariaDbServer.isInstalled()) {
            throw new IOException("there is no program 'mariadbd': install MariaDB (Debian: mariadb-server)");
        }
        MariaDbServer server = MariaDbServer.builder()
                .withoutFsync()
                .options("--max-connections=" + CONNECTIONS)
                .start();
        return new SqlStore(server, server.url(), "mariadb", "schema-mysql.sql");
    }

    @Override
    public String version() throws IOException {
        try (Connection connection = DriverManager.getConnection(url)) {
            DatabaseMetaData data = connection.getMetaData();
            return data.getDatabaseProductVersion() + "; " + data.getDriverName() + " " + data.getDriverVersion();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public String url() {
        return url;
    }

    /** Drops everything, and makes the tables of all libraries anew: several processes could not do so at once. */
    @Override
    public void clear() throws IOException {
        try (Connection connection = DriverManager.getConnection(url)) {
            ScriptUtils.executeSqlScript(connection, new ClassPathResource(kind + ".sql", SqlStore.class));
            ScriptUtils.executeSqlScript(
                    connection, new ClassPathResource("org/springframework/integration/jdbc/" + peersSchema));
        } catch (SQLException e) {
            throw new IOException(e);
        }
        BelayAdmin.prepare(url);
    }

    @Override
    public void close() {
        server.close();
    }
}
