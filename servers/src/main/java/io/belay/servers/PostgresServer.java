package io.belay.servers;

import io.belay.servers.fetch.FetchedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of a test's own: the programs {@code initdb} and {@code postgres} of the PATH, of Debian's package,
 * or of the version that {@code BELAY_SERVERS} names. As root they are run as the user {@code postgres}, as they
 * refuse to be root.
 *
 * <p>What was committed survives {@link #kill}, also without fsync: that is for when the machine fails.
 */
public final class PostgresServer extends ServerProcess {
    private static final String USER = "postgres";

    private final String url;
    private final @Nullable String password;
    private final List<String> options;

    private PostgresServer(Builder builder) throws IOException {
        super("postgres");
        password = builder.password ? UUID.randomUUID().toString() : null;
        options = List.copyOf(builder.options);
        Certificates certificates = builder.certificates;
        url = "/postgres?user=" + USER
                + (password == null ? "" : "&password=" + password)
                + (certificates == null ? "" : "&sslmode=verify-full&sslrootcert=" + certificates.caFile());
    }

    /** Returns whether there are programs to start. */
    public static boolean isInstalled() {
        return Programs.directoryOf("initdb", "postgres").isPresent();
    }

    /** Starts a server as tests want it: without a password, and without fsync. */
    public static PostgresServer start() throws IOException, InterruptedException {
        return builder().withoutFsync().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@code jdbc:postgresql://127.0.0.1:PORT/postgres?user=...}, with all that is needed to connect as superuser. */
    public String url() {
        return url(port());
    }

    /** Returns the same URL through another port, that of a proxy before it. */
    public String url(int port) {
        return "jdbc:postgresql://" + Ports.HOST + ":" + port + url;
    }

    /** Starts the server again as a standby that has lost its primary: it recovers for ever, and answers what only reads. */
    public void restartAsStandby() throws IOException, InterruptedException {
        kill();
        write(data().resolve("standby.signal"), "");
        restart();
    }

    @Override
    public void kill() {
        Process postmaster = process();
        long segment = segment();
        try {
            // One that runs starts children anew as they are killed, and those would be nobody's.
            if (postmaster.isAlive()) {
                ProcessTree.stopAlone(postmaster.toHandle());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.kill();
        removeSegment(segment);
    }

    @Override
    List<String> command() {
        List<String> command = asPostgres("postgres");
        command.addAll(List.of("-D", data().toString(), "-h", Ports.HOST, "-p", Integer.toString(port())));
        command.addAll(List.of("-c", "unix_socket_directories="));
        // In its directory, and not in /dev/shm, where it would stay when the server is killed.
        command.addAll(List.of("-c", "dynamic_shared_memory_type=mmap"));
        command.addAll(options);
        return command;
    }

    /** Returns whether the server says in its file that it is this process, and ready. */
    @Override
    boolean isReady(long pid) throws IOException {
        List<String> lines = pidFile();
        return lines.size() > 7
                && lines.get(0).equals(Long.toString(pid))
                && lines.get(7).strip().equals("ready");
    }

    /** Returns the id of System V's shared memory, a few bytes that mark the directory as in use; -1 if it has none. */
    private long segment() {
        try {
            List<String> lines = pidFile();
            return lines.size() > 6 ? Long.parseLong(lines.get(6).strip().split(" +")[1]) : -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> pidFile() throws IOException {
        try {
            return Files.readAllLines(data().resolve("postmaster.pid"));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Removes the shared memory that a killed server leaves behind, as there are only 4096. */
    private static void removeSegment(long segment) {
        if (segment < 0) {
            return;
        }
        try {
            // It fails if it has gone already.
            new ProcessBuilder("ipcrm", "-m", Long.toString(segment))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void create(@Nullable Certificates certificates) throws IOException, InterruptedException {
        own(directory);
        String method = password == null ? "trust" : "scram-sha-256";
        List<String> command = asPostgres("initdb");
        command.addAll(List.of("--no-sync", "--no-locale", "-E", "UTF8", "-U", USER, "-A", method));
        command.addAll(List.of("-D", data().toString()));
        Path passwordFile = directory.resolve("password");
        if (password != null) {
            write(passwordFile, password);
            command.add("--pwfile=" + passwordFile);
        }
        run(command);
        Files.deleteIfExists(passwordFile);
        String kind = certificates == null ? "host" : "hostssl";
        Files.writeString(data().resolve("pg_hba.conf"), kind + " all all " + Ports.HOST + "/32 " + method + "\n");
        if (certificates != null) {
            write(data().resolve("server.crt"), Files.readString(certificates.certFile()));
            write(data().resolve("server.key"), Files.readString(certificates.keyFile()));
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    /** Begins a command whose process becomes the program, so that its handle is the server's. */
    private static List<String> asPostgres(String program) {
        List<String> command = new ArrayList<>();
        if (Programs.isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
            if (FetchedServer.chosenFor("initdb", "postgres").isPresent()) {
                // It lies in root's own directory, where others may not look.
                command.addAll(List.of("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"));
                command.add("--securebits=+no_setuid_fixup");
            }
        }
        Path bin = Programs.directoryOf("initdb", "postgres")
                .orElseThrow(() -> Programs.missing("postgres", "postgresql"));
        command.add(bin.resolve(program).toString());
        return command;
    }

    /** Writes a file that only the server may read. */
    private static void write(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
        own(file);
    }

    private static void own(Path file) throws IOException {
        if (Programs.isRoot()) {
            UserPrincipal user =
                    file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(file, user);
        }
    }

    /** A builder of a PostgreSQL. What is not set here is as in PostgreSQL. */
    public static final class Builder {
        private final List<String> options = new ArrayList<>();
        private boolean password;
        private @Nullable Certificates certificates;

        private Builder() {}

        /** Adds options as on postgres's command line: {@code "-c", "max_connections=20"}. The last of a name wins. */
        public Builder options(String... words) {
            options.addAll(List.of(words));
            return this;
        }

        /** Does not wait for the disk, which is quicker and loses nothing unless the machine fails. */
        public Builder withoutFsync() {
            return options("-c", "fsync=off");
        }

        /** Asks for a password (SCRAM-SHA-256), which is made up and is part of {@link PostgresServer#url}. */
        public Builder withPassword() {
            password = true;
            return this;
        }

        /** Talks TLS only. {@link PostgresServer#url} asks for it, and names the authority. */
        public Builder tls(Certificates certificates) {
            this.certificates = certificates;
            return options("-c", "ssl=on");
        }

        /**
         * Starts the server and waits until it serves.
         *
         * @throws IllegalStateException if its programs are missing
         * @throws IOException if it does not come up, with its log
         */
        public PostgresServer start() throws IOException, InterruptedException {
            PostgresServer server = new PostgresServer(this);
            try {
                server.create(certificates);
                server.launchSomewhere();
                return server;
            } catch (IOException | InterruptedException | RuntimeException e) {
                server.close();
                throw e;
            }
        }
    }
}
