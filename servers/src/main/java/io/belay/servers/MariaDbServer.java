package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MariaDB of a test's own: the programs {@code mariadb-install-db} and {@code mariadbd} of the PATH, of Debian's
 * package, or of the version that {@code BELAY_SERVERS} names. It has a database {@code belay}, and a user
 * {@code belay} that may do anything in it, with a password.
 *
 * <p>What was committed survives {@link #kill}, also without fsync: that is for when the machine fails.
 */
public final class MariaDbServer extends MySqlFamily {
    private MariaDbServer(Builder builder) throws IOException {
        super("mariadb", builder.certificates, builder.options);
    }

    /** Returns whether tests of several databases have it among them: the short proof leaves it out. */
    public static boolean isAmongDatabases() {
        return isInstalled() && !Proof.isShort();
    }

    /** Returns whether there are programs to start. */
    public static boolean isInstalled() {
        return Programs.directoryOf("mariadb-install-db").isPresent()
                && Programs.directoryOf("mariadbd").isPresent();
    }

    /** Starts a server as tests want it: without fsync. */
    public static MariaDbServer start() throws IOException, InterruptedException {
        return builder().withoutFsync().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@code jdbc:mariadb://127.0.0.1:PORT/belay?user=...}, with all that MariaDB's driver needs to connect. */
    public String url() {
        return url(port());
    }

    /** Returns the same URL through another port, that of a proxy before it. */
    public String url(int port) {
        return "jdbc:mariadb:" + address(port)
                + (certificates == null ? "" : "&sslMode=verify-full&serverSslCert=" + certificates.caFile());
    }

    /**
     * {@code jdbc:mysql://127.0.0.1:PORT/belay?user=...}, the same for MySQL's driver. With TLS that driver does
     * not look who the server is, as it reads no PEM files.
     */
    public String mysqlUrl() {
        return mysqlUrl(port());
    }

    /** Returns the same URL through another port, that of a proxy before it. */
    public String mysqlUrl(int port) {
        return "jdbc:mysql:" + address(port) + (certificates == null ? "" : "&sslMode=REQUIRED");
    }

    @Override
    List<String> command() {
        List<String> command = serve(Programs.find("mariadbd", "mariadb-server"));
        // A hundred megabytes less to write.
        command.addAll(1, List.of("--no-defaults", "--innodb-log-file-size=8M"));
        return command;
    }

    /** The server that installs knows users only once it is told to read what it has just written. */
    @Override
    void create() throws IOException, InterruptedException {
        Path users = writeUsers("FLUSH PRIVILEGES;");
        String program = Programs.find("mariadb-install-db", "mariadb-server");
        List<String> command = new ArrayList<>(List.of(
                program,
                "--no-defaults",
                "--basedir=" + base(program),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--skip-name-resolve",
                "--datadir=" + data(),
                "--innodb-log-file-size=8M",
                // It would wait for the disk a thousand times, and a machine that fails ends the test anyway.
                "--debug-no-sync",
                "--extra-file=" + users));
        command.addAll(asUser());
        run(command);
        Files.delete(users);
    }

    /** A builder of a MariaDB. What is not set here is as in MariaDB. */
    public static final class Builder extends MySqlFamily.Builder<Builder, MariaDbServer> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        @Override
        MariaDbServer make() throws IOException {
            return new MariaDbServer(this);
        }

        /** Does not wait for the disk, which is quicker and loses nothing unless the machine fails. */
        public Builder withoutFsync() {
            return options("--innodb-flush-log-at-trx-commit=2", "--debug-no-sync");
        }
    }
}
