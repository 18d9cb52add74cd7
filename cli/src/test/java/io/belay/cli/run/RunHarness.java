package io.belay.cli.run;

import io.belay.servers.Pace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts commands under a lock of one store, as real processes. */
abstract class RunHarness {
    static final Duration SHORT = Duration.ofSeconds(3);

    @TempDir
    Path directory;

    final List<RunProcess> started = new ArrayList<>();

    /** Returns the store's URL. */
    abstract String url();

    @AfterEach
    void endAll() {
        started.forEach(RunProcess::close);
        // What a watcher has called to give a lock back may still close its store there.
        Awaitility.await().until(() -> ProcessHandle.allProcesses().noneMatch(this::isBusyHere));
    }

    RunProcess start(List<String> words) throws IOException {
        RunProcess process = RunProcess.start(directory, words, null);
        started.add(process);
        return process;
    }

    RunProcess start(String... args) throws IOException {
        return start(RunProcess.words(args));
    }

    /** Starts {@code belay run x} with options, and a command for the shell. */
    RunProcess shell(String command, String... options) throws IOException {
        return start(run("x", command, options));
    }

    /**
     * Starts one that waits for nobody, and waits for its end. In a process that has just begun the store's first answer may come
     * late, and then nothing is known: so it is started again.
     */
    RunProcess answered(List<String> words) throws Exception {
        long end = System.nanoTime() + Pace.patience().toNanos();
        RunProcess process = start(words);
        while (process.exitCode() == 69 && process.err().contains("in time") && System.nanoTime() < end) {
            process = start(words);
        }
        return process;
    }

    List<String> run(String name, String command, String... options) {
        List<String> args = new ArrayList<>(List.of("run", name, "--store", url()));
        args.addAll(List.of(options));
        args.addAll(List.of("-c", command));
        return RunProcess.words(args.toArray(String[]::new));
    }

    /** Returns the options of a short lease, of which a third is the grace. */
    static String[] options(Duration lease) {
        return new String[] {"--lease", lease.toMillis() + "ms", "--grace", lease.toMillis() / 3 + "ms"};
    }

    static void awaitGone(long pid) {
        Awaitility.await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> !isAlive(pid));
    }

    /** Returns a command of a shell that does nothing until there is a file. */
    static String untilThereIs(Path file) {
        return "while ! [ -e " + file + " ]; do sleep 0.05; done";
    }

    /** Waits until nothing that was begun under a lock with that token lives; what the environment of each says is the test. */
    static void awaitNoneOf(long token) {
        Awaitility.await().pollInterval(20, TimeUnit.MILLISECONDS).until(() -> marked(token) == 0);
    }

    /** Returns how many processes were begun under a lock with that token. */
    static long marked(long token) {
        byte[] mark = ("\0BELAY_TOKEN=" + token + "\0").getBytes(StandardCharsets.ISO_8859_1);
        String sought = new String(mark, StandardCharsets.ISO_8859_1);
        return ProcessHandle.allProcesses()
                .filter(process -> isAlive(process.pid()))
                .filter(process -> environment(process.pid()).contains(sought))
                .count();
    }

    private static String environment(long pid) {
        return "\0" + read(pid, "environ");
    }

    private boolean isBusyHere(ProcessHandle process) {
        return read(process.pid(), "cmdline").contains(directory.toString());
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    static boolean isAlive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the number that a command has printed behind a word. */
    static long number(RunProcess process, String word) throws IOException {
        process.awaitOut(word + "=");
        Awaitility.await().until(() -> process.out().matches("(?s).*" + word + "=\\d+\r?\n.*"));
        return Long.parseLong(process.out().replaceFirst("(?s).*" + word + "=(\\d+)\r?\n.*", "$1"));
    }

    static String quoted(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    /** Returns a text for a string with double quotes in a shell. */
    static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("$", "\\$");
    }
}
