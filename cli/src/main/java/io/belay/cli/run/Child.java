package io.belay.cli.run;

import io.belay.cli.text.CliException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The user's command as a process. It has this process's input, output, terminal and process group. Where there is setpriv,
 * it gets SIGTERM when this process dies, even by SIGKILL: the kernel sends it when the <em>thread</em> dies that started the
 * command, so the main thread does.
 */
final class Child {
    private static final long KILL_SECONDS = 2;

    /** Runs what it is given unless this process is dead already, which would be too early for the kernel's signal. */
    private static final String UNLESS_ORPHANED = "[ \"$PPID\" = \"$0\" ] || exit 143; exec \"$@\"";

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /**
     * Makes sure that there is such a program, before anybody waits for a lock.
     *
     * @throws CliException with the exit code that a shell would have
     */
    static void require(String program) {
        boolean there = false;
        for (Path file : places(program)) {
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return;
            }
            there |= Files.exists(file);
        }
        throw there
                ? CliException.of(
                        ExitCodes.NOT_EXECUTABLE, "'" + program + "' cannot be run: it is no program, or you may not")
                : CliException.of(ExitCodes.NOT_FOUND, "'" + program + "' is not there: check the name, or the PATH");
    }

    private static List<Path> places(String program) {
        if (program.contains("/")) {
            return List.of(Path.of(program));
        }
        List<Path> places = new ArrayList<>();
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator, -1)) {
            places.add(Path.of(directory, program));
        }
        return places;
    }

    /** Returns whether the command will end with this process, whatever ends that. */
    static boolean canEndWithParent() {
        return !setpriv().isEmpty();
    }

    private static List<String> setpriv() {
        for (Path file : places("setpriv")) {
            try {
                // Busybox's knows no signals of parents.
                if (Files.isExecutable(file) && !file.toRealPath().endsWith("busybox")) {
                    return List.of(file.toString(), "--pdeathsig", "TERM");
                }
            } catch (IOException e) {
                // as if it were not there
            }
        }
        return List.of();
    }

    /** Starts a command; in the main thread, see above. */
    static Child start(List<String> command, Map<String, String> environment) throws IOException {
        List<String> whole = new ArrayList<>(setpriv());
        if (!whole.isEmpty()) {
            String own = Long.toString(ProcessHandle.current().pid());
            whole.addAll(List.of("/bin/sh", "-c", UNLESS_ORPHANED, own));
        }
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole).inheritIO();
        builder.environment().putAll(environment);
        return new Child(builder.start());
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Sends a signal by {@code kill}, as Java itself knows only two. */
    void signal(String name) {
        if (!process.isAlive()) {
            return;
        }
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var unused = kill.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            System.err.println("belay: SIG" + name + " could not be passed on: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end, and returns its exit code, or 128 and the number of the signal that ended it. */
    int await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
