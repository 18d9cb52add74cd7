package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A {@code belay} as a process, with its outputs in files, so that what it leaves behind keeps nobody waiting. */
final class RunProcess implements AutoCloseable {
    /** The numbers of signals that Linux lists by numbers. */
    private static final Map<String, Integer> NUMBERS =
            Map.of("HUP", 1, "INT", 2, "USR1", 10, "USR2", 12, "TERM", 15, "CONT", 18);

    private final Process process;
    private final Path out;
    private final Path err;

    private RunProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** The script that calls it. */
    private static final String SCRIPT = script();

    private static String script() {
        try {
            Path script = Files.createTempFile("belay", ".sh");
            script.toFile().deleteOnExit();
            return Cli.script(script).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the words that call it. */
    static List<String> words(String... args) {
        List<String> words = new ArrayList<>(List.of(SCRIPT));
        words.addAll(List.of(args));
        return words;
    }

    static RunProcess start(Path directory, String... args) throws IOException {
        return start(directory, words(args), null);
    }

    /** Starts a program that calls it, or itself, with an input. */
    static RunProcess start(Path directory, List<String> words, File input) throws IOException {
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        // What starts this JVM may ignore signals, as a script does for what it starts in the background; that is
        // inherited.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal"));
        command.addAll(words);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.redirectInput(input == null ? new File("/dev/null") : input);
        builder.environment().remove("BELAY_LOCK");
        return new RunProcess(builder.start(), out, err);
    }

    long pid() {
        return process.pid();
    }

    /** Returns the process that has the lock. */
    ProcessHandle vm() {
        return child(handle(), "java");
    }

    /** Returns the process that ends the command when the one that has the lock cannot. */
    ProcessHandle watcher() {
        return child(vm(), "bash");
    }

    private ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Waits for a child that runs a program, as the command may be there before it. Where the machine keeps a short lease
     * from being renewed, it never comes.
     */
    private static ProcessHandle child(ProcessHandle parent, String program) {
        return Awaitility.await()
                .until(
                        () -> {
                            Premise.check(parent.isAlive(), "its parent lives until there is a " + program);
                            return parent.children()
                                    .filter(child -> isProgram(child, program))
                                    .findFirst();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private static boolean isProgram(ProcessHandle process, String name) {
        return process.info()
                .command()
                .filter(path -> path.endsWith("/" + name))
                .isPresent();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Sends a signal, which it must not ignore. */
    void signal(String name) throws Exception {
        assertThat(ignores(name)).as("it ignores SIG" + name).isFalse();
        send(name, pid());
    }

    /** Returns whether it would not even notice a signal. */
    boolean ignores(String signal) throws IOException {
        Integer number = NUMBERS.get(signal);
        if (number == null) {
            return false; // as of KILL and STOP
        }
        String status = Files.readString(Path.of("/proc/" + pid() + "/status"));
        String set = status.replaceFirst("(?s).*\nSigIgn:\\s*(\\p{XDigit}+)\n.*", "$1");
        return (Long.parseUnsignedLong(set, 16) >> (number - 1) & 1) != 0;
    }

    static void send(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Waits until its command has printed this, for which a short lease may leave no time. */
    void awaitOut(String text) {
        Awaitility.await().pollInterval(20, TimeUnit.MILLISECONDS).until(() -> {
            Premise.check(isAlive() || out().contains(text), "it prints '" + text + "' before its end: " + err());
            return out().contains(text);
        });
    }

    /** Waits for its end, and returns its exit code. */
    int exitCode() throws Exception {
        assertThat(process.waitFor(Pace.patience().toMillis(), TimeUnit.MILLISECONDS))
                .as(err())
                .isTrue();
        return process.exitValue();
    }

    /** Waits for its end, which must have that exit code. */
    RunProcess ends(int code) throws Exception {
        assertThat(exitCode()).as(out() + err()).isEqualTo(code);
        return this;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
