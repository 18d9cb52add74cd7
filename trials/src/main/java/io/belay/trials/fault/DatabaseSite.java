package io.belay.trials.fault;

import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.Restartable;
import io.belay.servers.ServerProcess;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A database, which keeps what it has answered, behind a proxy for each client. */
final class DatabaseSite implements Site {
    private final ServerProcess server;
    private final IntFunction<String> urls;
    private final String parameters;
    private final List<TcpProxy> proxies = new ArrayList<>();

    private DatabaseSite(ServerProcess server, IntFunction<String> urls, int clients, Duration lease)
            throws IOException {
        this.server = server;
        this.urls = urls;
        parameters = "&belay-create=true&belay-timeout="
                + Sites.requestTimeout("postgresql", lease).toMillis() + "ms";
        for (int i = 0; i < clients; i++) {
            proxies.add(TcpProxy.to(server));
        }
    }

    static Site postgres(int clients, Duration lease) throws IOException, InterruptedException {
        PostgresServer server = PostgresServer.start();
        return new DatabaseSite(server, server::url, clients, lease);
    }

    static Site mariaDb(int clients, Duration lease) throws IOException, InterruptedException {
        MariaDbServer server = MariaDbServer.start();
        return new DatabaseSite(server, server::url, clients, lease);
    }

    static Site mySql(int clients, Duration lease) throws IOException, InterruptedException {
        MySqlServer server = MySqlServer.start();
        return new DatabaseSite(server, server::url, clients, lease);
    }

    @Override
    public String url(int client) {
        return urls.apply(proxies.get(client).port()) + parameters;
    }

    @Override
    public List<? extends Restartable> servers() {
        return List.of(server);
    }

    /** Of a PostgreSQL alone: it makes all transactions read-only that do not say otherwise. */
    @Override
    public void have(Room room) throws IOException {
        try (Connection connection = DriverManager.getConnection(urls.apply(server.port()));
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "ALTER SYSTEM SET default_transaction_read_only = " + (room == Room.PLENTY ? "off" : "on"));
            statement.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of(proxies.get(client));
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
        server.close();
    }
}
