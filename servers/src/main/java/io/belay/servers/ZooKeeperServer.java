package io.belay.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper in a JVM of its own, alone or as a member of an ensemble: its classes are to be on the class path of the
 * tests that start it. Ticks are short, so that sessions may be.
 */
public final class ZooKeeperServer implements Restartable, AutoCloseable {
    private static final String SECURE_HOST = "secureClientPortAddress=";
    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    private final Path directory;
    private final int port;
    private final int securePort;
    /** The names by which the network between the members knows this one. */
    private final Set<String> names;

    private final List<String> options;
    private @Nullable String secureHost;
    private @Nullable Process process;

    /** A server that is not yet started. {@code options} are those of its JVM besides the usual ones. */
    ZooKeeperServer(Path directory, int port, Set<String> names, List<String> options) throws IOException {
        this.directory = directory;
        this.port = port;
        securePort = Ports.free();
        this.names = Set.copyOf(names);
        this.options = List.copyOf(options);
    }

    /** Starts a single server, and waits until it answers. */
    public static ZooKeeperServer start() throws IOException, InterruptedException {
        return start(List.of());
    }

    /**
     * Does the same with more lines in its configuration.
     *
     * @param lines as they are written in zoo.cfg
     */
    public static ZooKeeperServer start(List<String> lines) throws IOException, InterruptedException {
        return start(lines, List.of());
    }

    /**
     * Does the same with more options of its JVM.
     *
     * @param lines as they are written in zoo.cfg
     * @param options as they are written on a command line
     */
    public static ZooKeeperServer start(List<String> lines, List<String> options)
            throws IOException, InterruptedException {
        ZooKeeperServer server =
                new ZooKeeperServer(Leftovers.directory("belay-zookeeper"), Ports.free(), Set.of(), options);
        server.configure(lines);
        server.restart();
        return server;
    }

    /**
     * Starts a single server with a second port, which talks TLS only, and asks clients for no certificate.
     *
     * @param lines as they are written in zoo.cfg; they go before what is set here
     */
    public static ZooKeeperServer start(Certificates certificates, String... lines)
            throws IOException, InterruptedException {
        ZooKeeperServer server =
                new ZooKeeperServer(Leftovers.directory("belay-zookeeper"), Ports.free(), Set.of(), List.of());
        List<String> all = new ArrayList<>(List.of(
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "secureClientPort=" + server.securePort,
                SECURE_HOST + Ports.HOST,
                "ssl.keyStore.location=" + certificates.certAndKeyFile(),
                "ssl.keyStore.type=PEM",
                "ssl.trustStore.location=" + certificates.caFile(),
                "ssl.trustStore.type=PEM",
                "ssl.clientAuth=none"));
        all.addAll(List.of(lines));
        server.secureHost = all.stream()
                .filter(line -> line.startsWith(SECURE_HOST))
                .reduce(Ports.HOST, (before, line) -> line.substring(SECURE_HOST.length()));
        server.configure(all);
        server.restart();
        return server;
    }

    /**
     * Writes its configuration anew, which counts from its next start on.
     *
     * @param lines as they are written in zoo.cfg, after the usual ones
     */
    public void configure(List<String> lines) throws IOException {
        Files.writeString(
                directory.resolve("zoo.cfg"),
                String.join(
                                "\n",
                                "dataDir=" + directory.resolve("data"),
                                "clientPort=" + port,
                                "clientPortAddress=" + Ports.HOST,
                                "tickTime=200",
                                "initLimit=50",
                                "syncLimit=10",
                                "maxSessionTimeout=1000000",
                                "maxClientCnxns=0",
                                "admin.enableServer=false",
                                "4lw.commands.whitelist=*",
                                String.join("\n", lines))
                        + "\n");
    }

    /** Starts the server again, at the same address and with what it had, and waits until it answers. */
    public void restart() throws IOException, InterruptedException {
        startAgain();
        awaitReady();
    }

    @Override
    public void startAgain() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // Nobody pulls the plug of this machine.
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.extendedTypesEnabled=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                directory.resolve("zoo.cfg").toString()));
        command.addAll(1, options);
        process = Leftovers.start(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile())));
    }

    void awaitReady() throws IOException, InterruptedException {
        Waiting.until("ZooKeeper at " + port + " serves; see " + directory.resolve("log"), () -> {
            Process started = process;
            if (started == null || !started.isAlive()) {
                throw new IllegalStateException(Files.readString(directory.resolve("log")));
            }
            return ask("srvr", 1_000).contains("Mode: ") && (secureHost == null || takesConnections());
        });
    }

    /** Returns whether it listens at the port that talks TLS, which it opens after the other. */
    private boolean takesConnections() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(secureHost, securePort), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns what the server answers to a four-letter word. */
    public String ask(String word) throws IOException {
        return ask(word, (int) Pace.patience().toMillis());
    }

    private String ask(String word, int millis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(Ports.address(port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns one of the figures that the server answers to {@code mntr}. */
    public long figure(String name) throws IOException {
        return ask("mntr")
                .lines()
                .filter(line -> line.startsWith(name + "\t"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).trim()))
                .findFirst()
                .orElseThrow(() -> new IOException("mntr says nothing of " + name));
    }

    /** Returns whether the server leads an ensemble now. */
    public boolean isLeader() {
        try {
            return ask("srvr", 1_000).contains("Mode: leader");
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /** The port that talks TLS, if the server was started with one. */
    public int securePort() {
        return securePort;
    }

    public String address() {
        return Ports.HOST + ":" + port;
    }

    /** Returns the URL of the server's resources, if it is alone. */
    public String url() {
        return "zookeeper://" + address();
    }

    /** Returns the names by which its {@link Peers} know this member. */
    public Set<String> names() {
        return names;
    }

    @Override
    public boolean isAlive() {
        Process started = process;
        return started != null && started.isAlive();
    }

    @Override
    public void kill() {
        Process started = process;
        if (started != null) {
            Leftovers.kill(started);
        }
    }

    @Override
    public void stop() {
        signal("STOP");
    }

    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        Process started = process;
        if (started == null) {
            throw new IllegalStateException("it was not started");
        }
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(started.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
        Leftovers.delete(directory);
    }
}
