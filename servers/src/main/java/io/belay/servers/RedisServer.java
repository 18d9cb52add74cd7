package io.belay.servers;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server of a test's own, on a free port of 127.0.0.1 and on a unix socket, with a directory that goes with it.
 * It can be killed, started again, and stopped as by SIGSTOP. It ends with this JVM, unless that is killed.
 *
 * <p>It has one user more than others do, {@code control}: {@link #command} and {@link #monitor} log in as that user
 * and come over the unix socket, so they work whatever happens to passwords, to the default user and to the network.
 *
 * <p>Starting, killing, stopping and closing is for one thread at a time. The rest is thread-safe.
 */
public final class RedisServer implements Restartable, AutoCloseable {
    /**
     * The servers there are: 6.2.11 (6.2.7 on ARM) and 7.0.15. In place of the latter runs what {@code BELAY_SERVERS}
     * names: {@code redis-8.0} or {@code valkey-9}.
     */
    public enum Version {
        V6_2,
        V7_0
    }

    /** The name of the user, and its password. */
    static final String CONTROL = "control";

    private final Path directory;
    private final int port;
    private final boolean tls;
    private final List<String> command;
    private final Map<String, String> environment;
    private volatile @Nullable Process process;

    RedisServer(RedisServerBuilder builder, int port) throws IOException {
        directory = Leftovers.directory("belay-redis-");
        this.port = port;
        tls = builder.hasTls();
        command = builder.command(directory, socket(), port);
        Duration offset = builder.clock();
        environment = offset == null ? Map.of() : FakeClock.environment(clockFile());
        if (offset != null) {
            FakeClock.set(clockFile(), offset);
        }
    }

    public static RedisServerBuilder builder(Version version) {
        return new RedisServerBuilder(version);
    }

    /** Returns whether this machine can show a server another clock: {@link RedisServerBuilder#clock}. */
    public static boolean canSetClock() {
        return FakeClock.library().isPresent();
    }

    /** Moves the clock of a server that runs and was started with {@link RedisServerBuilder#clock}. */
    public void setClock(Duration offset) throws IOException {
        if (environment.isEmpty()) {
            throw new IllegalStateException("this server was started with the clock of the machine");
        }
        FakeClock.set(clockFile(), offset);
    }

    /** Starts a server with these further options of the command line. */
    public static RedisServer start(Version version, String... options) throws IOException, InterruptedException {
        return builder(version).options(options).start();
    }

    public int port() {
        return port;
    }

    /** The server's unix socket. */
    public Path socket() {
        return directory.resolve("socket");
    }

    /** {@code redis://127.0.0.1:port}, or {@code rediss:} if it talks TLS; without user and password. */
    public String url() {
        return scheme() + "://" + Ports.HOST + ":" + port;
    }

    /** The process id, another one after each {@link #restart}. */
    public long pid() {
        return process().pid();
    }

    /** Returns whether the server's process is there, running or stopped. */
    @Override
    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    /** Returns what the server has written since it was last started, to find out what went wrong. */
    public String log() throws IOException {
        return Files.readString(logFile());
    }

    /** Kills the server. Its directory stays, and nobody listens on its port. */
    @Override
    public void kill() {
        Leftovers.kill(process());
        if (!environment.isEmpty()) {
            FakeClock.forget(pid());
        }
    }

    /**
     * Starts the server again on the same port, after {@link #kill} or by killing it. It is empty unless its options
     * say what to keep.
     *
     * @throws BindException if another process has taken the port
     */
    public void restart() throws IOException, InterruptedException {
        kill();
        launch();
    }

    @Override
    public void startAgain() throws IOException, InterruptedException {
        restart();
    }

    /** Keeps a copy of what is on the server's disk now, while it runs, and forgets the copy before. */
    public void takeSnapshot() throws IOException {
        new Snapshot(directory).take();
    }

    /** Starts the server again with what was on its disk at the last {@link #takeSnapshot}: all since is undone. */
    public void restartFromSnapshot() throws IOException, InterruptedException {
        kill();
        new Snapshot(directory).restore();
        launch();
    }

    /** Stops the process (SIGSTOP): connections stay and are accepted, but nothing is answered. */
    @Override
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
        // The signal is sent, which is not yet to say that the last thread has stopped.
        while (!isStopped()) {
            Thread.sleep(1);
        }
    }

    /** Lets a stopped process go on (SIGCONT). */
    @Override
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /**
     * Runs a command on a connection of its own; returns the values of its reply, one a line.
     *
     * @throws IllegalStateException if the reply is an error
     * @throws IOException if the server is not there, or does not answer within {@link Pace#patience}
     */
    public String command(String... words) throws IOException {
        try (RespConnection connection = connect()) {
            return String.join("\n", connection.call(words));
        }
    }

    /** {@code master}, {@code slave} or {@code sentinel}. */
    public String role() throws IOException {
        return command("ROLE").lines().findFirst().orElseThrow();
    }

    /** Waits until this replica has all that its master has written before this call. */
    public void awaitSync(RedisServer master) throws IOException, InterruptedException {
        long written = Long.parseLong(master.replication("master_repl_offset"));
        Waiting.until(
                "a replica in sync",
                () -> replication("master_link_status").equals("up")
                        && Long.parseLong(replication("slave_repl_offset")) >= written);
    }

    /** Makes this replica a master, with what it has. */
    public void promote() throws IOException {
        command("REPLICAOF", "NO", "ONE");
    }

    /** Cuts this replica off from its master. It stays a replica and misses what is written from now on. */
    public void detach() throws IOException {
        // Nobody listens there.
        command("REPLICAOF", Ports.HOST, "1");
    }

    private String replication(String field) throws IOException {
        return command("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("INFO replication has no " + field));
    }

    /** Watches the commands that the server runs from now on. */
    public Monitor monitor() throws IOException {
        RespConnection connection = connect();
        try {
            connection.call("MONITOR");
            return new Monitor(this, connection);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Kills the server and deletes its directory. */
    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        Leftovers.delete(directory);
    }

    void launch() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(logFile().toFile());
        builder.environment().putAll(environment);
        Process launched = Leftovers.start(builder);
        process = launched;
        Exception last = null;
        long end = System.nanoTime() + Pace.patience().toNanos();
        while (launched.isAlive() && System.nanoTime() < end) {
            try {
                command("PING");
                return;
            } catch (IOException | IllegalStateException e) {
                // Nobody there yet, or still busy with reading what it has kept.
                last = e;
                Thread.sleep(5);
            }
        }
        kill();
        String log = log();
        // Each C library words it in its own way.
        if (log.contains("Failed listening on port")) {
            throw new BindException("port " + port + " is taken: " + log);
        }
        throw new IOException("Redis does not start: " + log, last);
    }

    String scheme() {
        return tls ? "rediss" : "redis";
    }

    private RespConnection connect() throws IOException {
        RespConnection connection = RespConnection.open(socket());
        try {
            connection.call("AUTH", CONTROL, CONTROL);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    /** Returns whether the server has been stopped, or has ended. */
    boolean isStopped() throws IOException {
        Path file = Path.of("/proc/" + pid() + "/stat");
        if (!Files.exists(file)) {
            return true;
        }
        String stat = Files.readString(file);
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    private Process process() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("not started");
        }
        return current;
    }

    private Path clockFile() {
        return directory.resolve("clock");
    }

    private Path logFile() {
        return directory.resolve("log");
    }
}
