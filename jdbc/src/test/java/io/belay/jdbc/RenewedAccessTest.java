package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Certificates;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client shows to a database, or looks for there, is renewed a moment too late: that is waited for. */
@Tag("drivers")
@Tag("long")
class RenewedAccessTest {
    private static Certificates certificates;
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        certificates = Certificates.create();
        server = PostgresServer.builder()
                .withoutFsync()
                .withPassword()
                .tls(certificates)
                .start();
        BelayAdmin.prepare(server.url());
        run("CREATE USER shop SUPERUSER PASSWORD 'geheim-1'");
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
            certificates.close();
        }
    }

    private static void run(String sql) throws SQLException {
        try (Connection admin = DriverManager.getConnection(server.url());
                Statement statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void endAllConnections() throws SQLException {
        run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                + " AND backend_type = 'client backend'");
    }

    private static void isToldAsAway(Belay belay, String... why) {
        await().untilAsserted(() -> assertThat(Told.by(
                        StoreUnavailableException.class, () -> belay.lock("x").tryAcquire()))
                .contains(why));
    }

    /** Somebody changes it in the database, and then tells the pool. */
    @Test
    void aPasswordThatAPoolIsToldTooLate() throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url().replaceAll("(?<=[?&])(user|password)=[^&]*&?", ""));
            pool.setUsername("shop");
            pool.setPassword("geheim-0");
            assertThat(Told.by(
                            StoreMisconfiguredException.class,
                            () -> Belay.connect(Jdbc.in(pool), BelayOptions.defaults())))
                    .endsWith(" refuses the user or the password");
            pool.setPassword("geheim-1");
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults())) {
                run("ALTER USER shop PASSWORD 'geheim-2'");
                endAllConnections();
                isToldAsAway(belay, " refuses the user or the password of the given source");
                pool.setPassword("geheim-2");
                belay.lock("x").acquire().release();
            }
        }
    }

    /** As while somebody copies a new one there, just when the server was restarted. */
    @Test
    void aFileThatIsGone(@TempDir Path directory) throws Exception {
        Path file = Files.copy(certificates.caFile(), directory.resolve("root.crt"));
        String url = server.url().replace(certificates.caFile().toString(), file.toString());
        try (Belay belay = Belay.connect(url)) {
            Files.delete(file);
            endAllConnections();
            isToldAsAway(belay, " cannot be connected to by TLS: ", file.toString());
            Files.copy(certificates.caFile(), file);
            belay.lock("x").acquire().release();
        }
    }

    /** The server has a certificate of an authority whose own comes a moment later. */
    @Test
    void anAuthorityThatIsNotKnownYet(@TempDir Path directory) throws Exception {
        Path file = Files.copy(certificates.caFile(), directory.resolve("root.crt"));
        String url = server.url().replace(certificates.caFile().toString(), file.toString());
        try (Belay belay = Belay.connect(url);
                Certificates others = Certificates.create()) {
            Files.copy(others.caFile(), file, StandardCopyOption.REPLACE_EXISTING);
            endAllConnections();
            isToldAsAway(belay, " cannot be connected to by TLS: ");
            Files.copy(certificates.caFile(), file, StandardCopyOption.REPLACE_EXISTING);
            belay.lock("x").acquire().release();
        }
    }

    /** The client has a certificate of an authority that the server is told of a moment later. */
    @Test
    void anAuthorityThatTheServerDoesNotKnowYet(@TempDir Path directory) throws Exception {
        Path trusted = Files.createFile(directory.resolve("trusted.crt"));
        Path hba = Files.createFile(directory.resolve("hba.conf"));
        readable(directory, "rwxr-xr-x");
        readable(trusted, "rw-r--r--");
        readable(hba, "rw-r--r--");
        Files.writeString(hba, "hostssl all all 127.0.0.1/32 trust clientcert=verify-ca\n");
        Files.copy(certificates.caFile(), trusted, StandardCopyOption.REPLACE_EXISTING);
        Path key = key(certificates.clientKeyFile(), directory);
        Path cert = Files.copy(certificates.clientCertFile(), directory.resolve("client.crt"));
        try (PostgresServer strict = PostgresServer.builder()
                .withoutFsync()
                .tls(certificates)
                .options("-c", "ssl_ca_file=" + trusted, "-c", "hba_file=" + hba)
                .start()) {
            String url = strict.url() + "&sslcert=" + cert + "&sslkey=" + key;
            BelayAdmin.prepare(url);
            try (Belay belay = Belay.connect(url);
                    Connection admin = DriverManager.getConnection(url);
                    Statement statement = admin.createStatement()) {
                Path stranger = certificates.strangerFile();
                key(stranger.resolveSibling("stranger.key"), directory);
                Files.copy(stranger, cert, StandardCopyOption.REPLACE_EXISTING);
                statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
                CompletableFuture<Lease> waiting = belay.lock("waited-for").acquireAsync();
                isToldAsAway(belay, "connection requires a valid client certificate");
                Files.copy(stranger, trusted, StandardCopyOption.REPLACE_EXISTING);
                statement.execute("SELECT pg_reload_conf()");
                assertThat(waiting).succeedsWithin(Pace.patience());
            }
        }
    }

    @Test
    void aDatabaseThatIsRenamedForAWhile() throws Exception {
        run("CREATE DATABASE shop");
        String url = server.url().replace("/postgres?", "/shop?");
        BelayAdmin.prepare(url);
        try (Belay belay = Belay.connect(url)) {
            run("ALTER DATABASE shop ALLOW_CONNECTIONS false"); // so that nobody connects before it is renamed
            endAllConnections();
            run("ALTER DATABASE shop RENAME TO away");
            CompletableFuture<Lease> waiting = belay.lock("waited-for").acquireAsync();
            isToldAsAway(belay, " has no database of that name for this user");
            run("ALTER DATABASE away RENAME TO shop");
            run("ALTER DATABASE shop ALLOW_CONNECTIONS true");
            assertThat(waiting).succeedsWithin(Pace.patience());
        }
    }

    /** Writes the client's key as PostgreSQL's driver reads it by itself: in binary, and for nobody else to read. */
    private static Path key(Path pem, Path directory) throws IOException {
        String text = Files.readString(pem).replaceAll("-----[A-Z ]+-----", "");
        Path file = Files.write(
                directory.resolve("client.pk8"), Base64.getMimeDecoder().decode(text));
        readable(file, "rw-------");
        return file;
    }

    private static void readable(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
