package io.belay.servers;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of a test's own, on a free port of 127.0.0.1, with a directory that goes with it. It can be killed, started
 * again with what it had on disk, and stopped as by SIGSTOP. It ends with this JVM, unless that is killed.
 *
 * <p>Starting, killing, stopping and closing is for one thread at a time.
 */
public abstract class ServerProcess implements Restartable, AutoCloseable {
    private static final int PORTS = 5;

    final Path directory;
    private int port;
    private @Nullable Process process;

    ServerProcess(String name) throws IOException {
        directory = Leftovers.directory("belay-" + name + "-");
    }

    /** The command that starts the server on its port. */
    abstract List<String> command() throws IOException;

    /** Returns whether the server serves, now that it was started as this process. */
    abstract boolean isReady(long pid) throws IOException;

    public int port() {
        return port;
    }

    /** The process id, another one after each {@link #restart}. */
    public long pid() {
        return process().pid();
    }

    /** Returns what the server has written since it was last started, to find out what went wrong. */
    public String log() throws IOException {
        return Files.readString(logFile());
    }

    @Override
    public boolean isAlive() {
        return process().isAlive();
    }

    /** Kills the server with all its processes (SIGKILL), and waits until they are gone. Its directory stays. */
    @Override
    public void kill() {
        Leftovers.kill(process());
    }

    /**
     * Starts the server again on the same port, after {@link #kill} or by killing it, and waits until it serves.
     *
     * @throws BindException if another process has taken the port
     * @throws IOException if it does not come up, with its log
     */
    public void restart() throws IOException, InterruptedException {
        kill();
        launch();
    }

    @Override
    public void startAgain() throws IOException, InterruptedException {
        restart();
    }

    /** Stops all processes of the server (SIGSTOP): connections stay and are accepted, but nothing is answered. */
    @Override
    public void stop() throws IOException, InterruptedException {
        ProcessTree.stop(process().toHandle());
    }

    /** Lets stopped processes go on (SIGCONT). */
    @Override
    public void resume() throws IOException, InterruptedException {
        ProcessTree.resume(process().toHandle());
    }

    /** Kills the server and deletes its directory. */
    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        Leftovers.delete(directory);
        Leftovers.remove(this);
    }

    /** Starts the server for the first time. Where its port is snatched away, it tries others. */
    final void launchSomewhere() throws IOException, InterruptedException {
        BindException taken = new BindException("none of " + PORTS + " ports was free");
        for (int attempt = 0; attempt < PORTS; attempt++) {
            port = Ports.free();
            try {
                launch();
                return;
            } catch (BindException e) {
                taken.addSuppressed(e);
            }
        }
        throw taken;
    }

    private void launch() throws IOException, InterruptedException {
        // Before it runs, so that nothing is left if this JVM ends meanwhile.
        Leftovers.add(this);
        Process started = Leftovers.start(builder(command()));
        process = started;
        long end = System.nanoTime() + Pace.patience().toNanos();
        while (started.isAlive() && System.nanoTime() < end) {
            if (isReady(started.pid())) {
                return;
            }
            Thread.sleep(5);
        }
        kill();
        String log = log();
        if (log.contains("Address already in use")) {
            throw new BindException("port " + port + " is taken: " + log);
        }
        throw new IOException("the server does not start: " + log);
    }

    /** Runs a command that prepares what the server needs, to its end. */
    final void run(List<String> command) throws IOException, InterruptedException {
        Process started = Leftovers.start(builder(command));
        try {
            int code = started.waitFor();
            if (code != 0) {
                throw new IOException(command.get(0) + " ended with " + code + ": " + log());
            }
        } finally {
            Leftovers.kill(started);
        }
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(logFile().toFile());
        // Messages are read; and to look for the zone takes its time.
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        return builder;
    }

    final Process process() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("this server was not started here");
        }
        return current;
    }

    private Path logFile() {
        return directory.resolve("log");
    }
}
