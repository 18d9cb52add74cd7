package io.belay.shop.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * A PostgreSQL of this test's own. Its programs come from PATH, from where Debian puts them, or from a Maven artifact.
 * It refuses to run as root, so root runs it as an unprivileged user.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String ARTIFACT = "/postgres-linux-x86_64.txz";
    private static final int START_SECONDS = 30;

    private final Path directory;
    private final Process server;
    private final int port;

    private PostgresServer(Path directory, Process server, int port) {
        this.directory = directory;
        this.server = server;
        this.port = port;
    }

    public static PostgresServer start() throws Exception {
        Path directory = Files.createTempDirectory("belay-postgres-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path programs = programs(directory);
        Path data = Files.createDirectory(directory.resolve("data"));
        if (isRoot()) {
            run(List.of("chown", "nobody", data.toString()), directory);
        }
        run(
                unprivileged(
                        programs.resolve("initdb"),
                        "-D",
                        data,
                        "-U",
                        "belay",
                        "-A",
                        "trust",
                        "-E",
                        "UTF8",
                        "--no-locale",
                        "--no-sync"),
                directory);
        int port = freePort();
        Process server = process(
                        unprivileged(
                                programs.resolve("postgres"),
                                "-D",
                                data,
                                "-p",
                                port,
                                "-h",
                                "127.0.0.1",
                                "-k",
                                "",
                                "-c",
                                "fsync=off"),
                        directory)
                .start();
        PostgresServer started = new PostgresServer(directory, server, port);
        started.awaitReady();
        return started;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=belay";
    }

    private void awaitReady() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            try (Connection connection = DriverManager.getConnection(url())) {
                return;
            } catch (SQLException e) {
                if (!server.isAlive() || System.nanoTime() > end) {
                    String log = Files.readString(directory.resolve("log"));
                    close();
                    throw new IllegalStateException("PostgreSQL did not start: " + log, e);
                }
                Thread.sleep(20);
            }
        }
    }

    private static Path programs(Path directory) throws Exception {
        List<Path> places = new ArrayList<>();
        for (String place : System.getenv("PATH").split(":", -1)) {
            places.add(Path.of(place));
        }
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.map(version -> version.resolve("bin")).forEach(places::add);
            }
        }
        for (Path place : places) {
            if (Files.isExecutable(place.resolve("postgres")) && Files.isExecutable(place.resolve("initdb"))) {
                return place;
            }
        }
        return unpack(directory);
    }

    private static Path unpack(Path directory) throws Exception {
        Process tar = process(List.of("tar", "-x", "-C", directory.toString()), directory)
                .start();
        try (InputStream in = PostgresServer.class.getResourceAsStream(ARTIFACT);
                InputStream tarFile = new XZInputStream(in);
                OutputStream out = tar.getOutputStream()) {
            tarFile.transferTo(out);
        }
        if (tar.waitFor() != 0) {
            throw new IllegalStateException("tar failed: " + Files.readString(directory.resolve("log")));
        }
        return directory.resolve("bin");
    }

    private static List<String> unprivileged(Object... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        for (Object word : command) {
            words.add(word.toString());
        }
        return words;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static void run(List<String> command, Path directory) throws Exception {
        if (process(command, directory).start().waitFor() != 0) {
            throw new IllegalStateException(command.get(0) + " failed: " + Files.readString(directory.resolve("log")));
        }
    }

    private static ProcessBuilder process(List<String> command, Path directory) {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws Exception {
        // SIGTERM waits for the connections to end, SIGQUIT does not; the data are thrown away in any case.
        server.descendants().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly().waitFor();
        process(List.of("rm", "-rf", directory.toString()), directory.getParent())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
