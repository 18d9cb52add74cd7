package io.belay.flashsale;

import io.belay.cli.process.ChildJvm;
import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.flashsale.load.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A shop node in a process of its own. */
final class Node {
    // The heap is for ten thousand orders that wait at once, at some 70 KB each.
    private static final List<String> OPTIONS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss512k", "-Xmx1536m");
    /** Variables that Spring Boot and the shop take for settings: the caller has them for programs of his own. */
    private static final Predicate<String> SETTINGS = Pattern.compile(
                    "(BELAY|LOGGING|MANAGEMENT|SERVER|SPRING)[._].*|DEBUG|TRACE", Pattern.CASE_INSENSITIVE)
            .asMatchPredicate();

    private static final int START_SECONDS = 300;
    private static final long GRACE_MILLIS = 8_000;

    private final String name;
    private final Process process;
    private final NodeLog log;
    private final CompletableFuture<Integer> port;
    private volatile boolean ending;
    private volatile boolean paused;

    private Node(String name, Process process, Path logFile, Cleanup cleanup) {
        this.name = name;
        this.process = process;
        this.port = new CompletableFuture<>();
        this.log = new NodeLog(name, process.getInputStream(), logFile, port);
        log.start();
        var unused = process.onExit().thenAccept(ended -> {
            if (!ending && !cleanup.begun() && port.isDone()) {
                System.err.println("belay: " + name + " ended by itself with exit code " + ended.exitValue() + ": "
                        + log.lastWords());
            }
        });
    }

    static Node start(String name, Map<String, String> environment, Path directory, Cleanup cleanup)
            throws IOException {
        List<String> options = new ArrayList<>(OPTIONS);
        // A node that is killed cannot remove what its libraries unpack.
        options.add("-Dorg.sqlite.tmpdir=" + directory);
        options.add("-Dserver.tomcat.basedir=" + directory.resolve(name));
        return new Node(
                name,
                ChildJvm.start("io.belay.shop.ShopApplication", options, environment, List.of(), SETTINGS),
                directory.resolve(name + ".log"),
                cleanup);
    }

    /** Waits until the node takes orders. */
    Server awaitReady() throws InterruptedException {
        try {
            int found = port.get(START_SECONDS, TimeUnit.SECONDS);
            return new Server(name, new InetSocketAddress("127.0.0.1", found));
        } catch (ExecutionException e) {
            throw CliException.usage(name + " did not start: " + log.lastWords());
        } catch (TimeoutException e) {
            throw CliException.usage(name + " was not ready after " + START_SECONDS + " s: " + log.lastWords());
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the node by SIGKILL, and returns when it is dead. */
    void kill() throws InterruptedException {
        ending = true;
        process.destroyForcibly().waitFor();
    }

    /** Pauses the node by SIGSTOP; returns false if that could not be done. */
    boolean pause() throws InterruptedException {
        paused = signal("STOP");
        return paused;
    }

    /** Lets the node go on by SIGCONT, if it is paused. */
    void resume() throws InterruptedException {
        if (paused) {
            paused = !signal("CONT");
        }
    }

    /**
     * Sends a signal by the shell's own {@code kill}, as Java itself can only end processes, and a bare Debian has no program for it;
     * returns whether that worked.
     */
    private boolean signal(String name) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.waitFor(2, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the node by SIGTERM, and by SIGKILL if that does not help. */
    void stop() {
        ending = true;
        ChildJvm.stop(process, GRACE_MILLIS);
    }

    /** Asks the node to end by SIGTERM, without waiting for what comes of it. */
    void askToStop() {
        ending = true;
        process.destroy();
        try {
            // It would not notice before.
            resume();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
