package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB of a test's own: the programs {@code mariadb-install-db} and {@code mariadbd} of the PATH, or of Debian's
 * package. It has a database {@code belay}, and a user {@code belay} that may do anything in it, with a password.
 *
 * <p>What was committed survives {@link #kill}, also without fsync: that is for when the machine fails.
 */
public final class MariaDbServer extends ServerProcess {
    private static final String NAME = "belay";

    private final String password = UUID.randomUUID().toString();
    private final @Nullable Certificates certificates;
    private final List<String> options;

    private MariaDbServer(Builder builder) throws IOException {
        super("mariadb");
        certificates = builder.certificates;
        options = List.copyOf(builder.options);
    }

    /** Whether there are programs to start. */
    public static boolean isInstalled() {
        return Programs.directoryOf("mariadb-install-db").isPresent()
                && Programs.directoryOf("mariadbd").isPresent();
    }

    /** Starts one as tests want it: without fsync. */
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

    /** The same through another port, that of a proxy before it. */
    public String url(int port) {
        return "jdbc:mariadb:" + address(port)
                + (certificates == null ? "" : "&sslMode=verify-full&serverSslCert=" + certificates.caFile());
    }

    /**
     * {@code jdbc:mysql://127.0.0.1:PORT/belay?user=...}, the same for MySQL's driver. With TLS it does not look who the
     * server is, as that driver reads no PEM files.
     */
    public String mysqlUrl() {
        return mysqlUrl(port());
    }

    /** The same through another port, that of a proxy before it. */
    public String mysqlUrl(int port) {
        return "jdbc:mysql:" + address(port) + (certificates == null ? "" : "&sslMode=REQUIRED");
    }

    private String address(int port) {
        return "//" + Ports.HOST + ":" + port + "/" + NAME + "?user=" + NAME + "&password=" + password;
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Programs.find("mariadbd", "mariadb-server"),
                "--no-defaults",
                "--datadir=" + data(),
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--tmpdir=" + directory,
                "--bind-address=" + Ports.HOST,
                "--port=" + port(),
                "--skip-name-resolve",
                "--character-set-server=utf8mb4",
                // A hundred megabytes less to write.
                "--innodb-log-file-size=8M",
                "--innodb-buffer-pool-size=32M"));
        if (certificates != null) {
            command.addAll(List.of(
                    "--ssl-cert=" + certificates.certFile(),
                    "--ssl-key=" + certificates.keyFile(),
                    "--require-secure-transport"));
        }
        command.addAll(options);
        addUser(command);
        return command;
    }

    @Override
    boolean isReady(long pid) throws IOException {
        return log().contains("ready for connections");
    }

    /** The server that installs knows users only once it is told to read what it has just written. */
    private void create() throws IOException, InterruptedException {
        Path users = directory.resolve("users.sql");
        Files.createFile(users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(users, """
                FLUSH PRIVILEGES;
                CREATE DATABASE %1$s CHARACTER SET utf8mb4;
                CREATE USER %1$s@'%%' IDENTIFIED BY '%2$s';
                GRANT ALL ON %1$s.* TO %1$s@'%%';
                """.formatted(NAME, password));
        List<String> command = new ArrayList<>(List.of(
                Programs.find("mariadb-install-db", "mariadb-server"),
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--skip-name-resolve",
                "--datadir=" + data(),
                "--innodb-log-file-size=8M",
                // It would wait for the disk a thousand times, and a machine that fails ends the test anyway.
                "--debug-no-sync",
                "--extra-file=" + users));
        addUser(command);
        run(command);
        Files.delete(users);
    }

    private static void addUser(List<String> command) {
        if (Programs.isRoot()) {
            command.add("--user=root");
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    /** How to start one. What is not said here is as in MariaDB. */
    public static final class Builder {
        private final List<String> options = new ArrayList<>();
        private @Nullable Certificates certificates;

        private Builder() {}

        /** Adds options as on the command line of mariadbd: {@code "--max-allowed-packet=1M"}. The last of a name wins. */
        public Builder options(String... words) {
            options.addAll(List.of(words));
            return this;
        }

        /** Does not wait for the disk, which is quicker and loses nothing unless the machine fails. */
        public Builder withoutFsync() {
            return options("--innodb-flush-log-at-trx-commit=2", "--debug-no-sync");
        }

        /** Talks TLS only. {@link MariaDbServer#url} asks for it, and names the authority. */
        public Builder tls(Certificates certificates) {
            this.certificates = certificates;
            return this;
        }

        /**
         * Starts it and waits until it serves.
         *
         * @throws IllegalStateException if its programs are missing
         * @throws IOException if it does not come up, with its log
         */
        public MariaDbServer start() throws IOException, InterruptedException {
            MariaDbServer server = new MariaDbServer(this);
            try {
                server.create();
                server.launchSomewhere();
                return server;
            } catch (IOException | InterruptedException | RuntimeException e) {
                server.close();
                throw e;
            }
        }
    }
}
