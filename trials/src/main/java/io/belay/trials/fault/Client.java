package io.belay.trials.fault;

import io.belay.trials.client.ClientMain;
import io.belay.trials.client.Settings;
import io.belay.trials.history.Event.Type;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A run of a client process. Not thread-safe. */
final class Client {
    private static final int NATIVE_ACCESS_WARNS = 24;
    /** Names an archive of classes, from which clients start faster. The first one of a trial makes it where it is not there. */
    private static final String ARCHIVE = "BELAY_TRIALS_ARCHIVE";

    private static final Duration LONGEST_START = Duration.ofMinutes(5);

    private final Settings settings;
    private final Process process;
    private final Signals signals;
    private final Journal journal;
    private boolean paused;

    private Client(Settings settings, Process process, Signals signals, Journal journal) {
        this.settings = settings;
        this.process = process;
        this.signals = signals;
        this.journal = journal;
    }

    static Client start(Settings settings, String classPath, Signals signals, Journal journal) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=io/belay/trials/log.xml",
                "-Dorg.sqlite.tmpdir=" + settings.directory()));
        if (Runtime.version().feature() >= NATIVE_ACCESS_WARNS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String archive = System.getenv(ARCHIVE);
        if (archive != null && Files.exists(Path.of(archive))) {
            // One that does not fit is ignored without a word.
            command.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
        } else if (archive != null && settings.process().equals("0.0")) {
            command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
        }
        command.add(ClientMain.class.getName());
        command.addAll(settings.arguments());
        File log = settings.directory().resolve(settings.process() + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log);
        builder.environment().put("CLASSPATH", classPath);
        journal.add(Type.START, settings.process());
        return new Client(settings, builder.start(), signals, journal);
    }

    /** Waits until the client's threads work; for so long that a machine which is that slow tries nothing. */
    void awaitReady() throws IOException, InterruptedException {
        BufferedReader said = process.inputReader();
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (process.isAlive() && System.nanoTime() < end) {
            if (!said.ready()) {
                TimeUnit.MILLISECONDS.sleep(10);
            } else if (ClientMain.READY.equals(said.readLine())) {
                return;
            }
        }
        throw new IOException("client " + name() + " did not start: see " + name() + ".log");
    }

    String name() {
        return settings.process();
    }

    boolean isPaused() {
        return paused;
    }

    void pause() {
        journal.add(Type.PAUSE, name());
        signals.send("STOP", process.pid());
        paused = true;
    }

    void resume() {
        signals.send("CONT", process.pid());
        paused = false;
        journal.add(Type.RESUME, name());
    }

    void kill() {
        journal.add(Type.KILL, name());
        process.destroyForcibly().onExit().join();
    }

    /** Tells the client to end. */
    void finish() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already, which its exit code tells.
        }
    }

    /** Waits for the client's end; returns what went wrong, or nothing. One that fails is written down: no machine is that busy. */
    String awaitEnd(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            return "client " + name() + " did not end";
        }
        int code = process.exitValue();
        if (code != 0) {
            journal.failed(name(), code);
        }
        return code == 0 ? "" : "client " + name() + " ended with " + code + ": see " + name() + ".log";
    }

    void destroy() {
        process.destroyForcibly();
    }
}
