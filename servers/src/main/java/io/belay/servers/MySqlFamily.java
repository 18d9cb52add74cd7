package io.belay.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB or MySQL of a test's own. It has a database {@code belay}, and a user {@code belay} that may do anything in
 * it, with a password.
 */
abstract class MySqlFamily extends ServerProcess {
    private static final String NAME = "belay";

    final @Nullable Certificates certificates;
    private final String password = UUID.randomUUID().toString();
    private final List<String> options;

    MySqlFamily(String name, @Nullable Certificates certificates, List<String> options) throws IOException {
        super(name);
        this.certificates = certificates;
        this.options = List.copyOf(options);
    }

    /** Returns what follows the driver's name in a URL: {@code //127.0.0.1:PORT/belay?user=...}. */
    final String address(int port) {
        return "//" + Ports.HOST + ":" + port + "/" + NAME + "?user=" + NAME + "&password=" + password;
    }

    /** The command that starts this program, with the options of the test last. */
    final List<String> serve(String program) {
        List<String> command = new ArrayList<>(List.of(
                program,
                "--basedir=" + base(program),
                "--datadir=" + data(),
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--tmpdir=" + directory,
                "--bind-address=" + Ports.HOST,
                "--port=" + port(),
                "--skip-name-resolve",
                "--character-set-server=utf8mb4",
                "--innodb-buffer-pool-size=32M"));
        if (certificates != null) {
            command.addAll(List.of(
                    "--ssl-cert=" + certificates.certFile(),
                    "--ssl-key=" + certificates.keyFile(),
                    "--require-secure-transport"));
        }
        command.addAll(options);
        command.addAll(asUser());
        return command;
    }

    @Override
    boolean isReady(long pid) throws IOException {
        return log().contains("ready for connections");
    }

    /** Returns the directory of a program's other files: the one above its own, be that a link or not. */
    static Path base(String program) {
        try {
            return Path.of(program).resolveSibling("..").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the statements that make the database and its user, for the program that prepares the directory. */
    final Path writeUsers(String... first) throws IOException {
        Path users = directory.resolve("users.sql");
        Files.createFile(users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(users, String.join("\n", first) + """

                CREATE DATABASE %1$s CHARACTER SET utf8mb4;
                CREATE USER %1$s@'%%' IDENTIFIED BY '%2$s';
                GRANT ALL ON %1$s.* TO %1$s@'%%';
                """.formatted(NAME, password));
    }

    /** Returns the option that lets a server be root where this process is; without it these servers refuse. */
    static List<String> asUser() {
        return Programs.isRoot() ? List.of("--user=root") : List.of();
    }

    final Path data() {
        return directory.resolve("data");
    }

    /** A builder of a server. What is not set here is as in the server. */
    abstract static class Builder<B extends Builder<B, S>, S extends MySqlFamily> {
        final List<String> options = new ArrayList<>();

        @Nullable
        Certificates certificates;

        abstract B self();

        abstract S make() throws IOException;

        /** Adds options as on the server's command line: {@code "--max-allowed-packet=1M"}. The last of a name wins. */
        public B options(String... words) {
            options.addAll(List.of(words));
            return self();
        }

        /** Talks TLS only. The server's URL asks for it. */
        public B tls(Certificates certificates) {
            this.certificates = certificates;
            return self();
        }

        /**
         * Starts the server and waits until it serves.
         *
         * @throws IllegalStateException if its programs are missing
         * @throws IOException if it does not come up, with its log
         */
        public S start() throws IOException, InterruptedException {
            S server = make();
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

    /** Prepares the server's directory, with its database and its user. */
    abstract void create() throws IOException, InterruptedException;
}
