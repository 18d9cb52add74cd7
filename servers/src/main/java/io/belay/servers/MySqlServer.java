package io.belay.servers;

import io.belay.servers.fetch.DebianServer;
import io.belay.servers.fetch.FetchedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MySQL 9.7 of a test's own, from the user's cache, as the stable Debian has none: what is called {@code mysqld}
 * there is MariaDB. It has a database {@code belay}, and a user {@code belay} that may do anything in it, with a
 * password.
 *
 * <p>What was committed survives {@link #kill}, also without fsync: that is for when the machine fails.
 */
public final class MySqlServer extends MySqlFamily {
    private MySqlServer(Builder builder) throws IOException {
        super("mysql", builder.certificates, builder.options);
    }

    private static FetchedServer fetched() {
        return FetchedServer.of(DebianServer.MYSQL_9_7);
    }

    /** Returns whether there is a program to start. Fetches it first, where that is allowed. */
    public static boolean isInstalled() {
        return fetched().isThere();
    }

    /** Returns one line that says why there is no program to start. */
    public static String whyNot() {
        return fetched().whyNot();
    }

    /** Starts a server as tests want it: without fsync. */
    public static MySqlServer start() throws IOException, InterruptedException {
        return builder().withoutFsync().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@code jdbc:mysql://127.0.0.1:PORT/belay?user=...}, with all that MySQL's driver needs to connect. With TLS
     * that driver does not look who the server is, as it reads no PEM files; without, it takes the key from the
     * server with which it hides the password.
     */
    public String url() {
        return url(port());
    }

    /** Returns the same URL through another port, that of a proxy before it. */
    public String url(int port) {
        return "jdbc:mysql:" + address(port)
                + (certificates == null ? "&sslMode=DISABLED&allowPublicKeyRetrieval=true" : "&sslMode=REQUIRED");
    }

    @Override
    List<String> command() {
        List<String> command = serve(program());
        // No second port, some hundred megabytes less, and no directory that the package would make.
        command.addAll(
                1, List.of("--no-defaults", "--mysqlx=OFF", "--performance-schema=OFF", "--secure-file-priv=NULL"));
        return command;
    }

    @Override
    void create() throws IOException, InterruptedException {
        Path users = writeUsers();
        List<String> command = new ArrayList<>(List.of(
                program(),
                "--no-defaults",
                "--initialize-insecure",
                "--basedir=" + base(program()),
                "--datadir=" + data(),
                "--innodb-flush-log-at-trx-commit=2",
                "--skip-log-bin",
                "--secure-file-priv=NULL",
                "--init-file=" + users));
        command.addAll(asUser());
        run(command);
        Files.delete(users);
    }

    private static String program() {
        return fetched().program("mysqld").toString();
    }

    /** A builder of a MySQL. What is not set here is as in MySQL. */
    public static final class Builder extends MySqlFamily.Builder<Builder, MySqlServer> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        @Override
        MySqlServer make() throws IOException {
            return new MySqlServer(this);
        }

        /** Does not wait for the disk, which is quicker and loses nothing unless the machine fails. */
        public Builder withoutFsync() {
            return options("--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0", "--innodb-flush-method=nosync");
        }
    }
}
