package io.belay.cli.run;

import io.belay.cli.text.CliException;
import io.belay.support.Mutex;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process that ends the user's command with all that it has begun ({@code watch.sh}): when it is told to, when this process
 * dies, and when this one stands still until the lease is over. If it is killed itself, another one takes its place.
 */
final class Watcher implements AutoCloseable {
    /** The programs that it needs. */
    private static final List<String> PROGRAMS = List.of("bash", "setsid");

    /** So often a watcher that is killed meanwhile is told anew to end the command. */
    private static final int ATTEMPTS = 3;

    /** So often it is looked for its answer. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

    private final List<String> words;
    private final FutureTask<@Nullable Void> begin = new FutureTask<>(this::start);
    private final Mutex lock = new Mutex();
    private @Nullable Process process; // guarded by the lock, like what follows
    private String marks = "";
    private String told = "";
    private String until = "";
    private boolean closed;

    /**
     * Begins one beside whatever its caller does until the lock is held, as a process takes its time to start.
     *
     * @param grace the time from SIGTERM to SIGKILL
     */
    Watcher(Duration grace) {
        words = List.of(
                "setsid",
                "bash",
                "-p", // or it begins with a BASH_ENV of the user's, whose output would be its answer
                "-c",
                script(),
                "belay-watcher",
                hundredths(grace),
                Long.toString(ProcessHandle.current().pid()));
        Thread thread = new Thread(begin, "belay-watcher");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns what is missing here, and belongs to each Linux; empty if it is all there. */
    static String missing() {
        return PROGRAMS.stream()
                .filter(program -> !Programs.isThere(program))
                .findFirst()
                .orElse("");
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(Watcher.class.getResourceAsStream("watch.sh"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hundredths(Duration duration) {
        return Long.toString(duration.toMillis() / 10);
    }

    private @Nullable Void start() throws IOException {
        try (var held = lock.hold()) {
            if (closed) {
                return null;
            }
            Process begun = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process = begun;
            var unused = begun.onExit().thenRun(() -> startAnother(begun));
            write(marks);
            write(told);
            write(until);
            return null;
        }
    }

    private void startAnother(Process ended) {
        try (var held = lock.hold()) {
            if (process == ended) {
                start();
            }
        } catch (IOException e) {
            say("nobody ends the command if this process is killed: " + e.getMessage());
        }
    }

    /** Says that, and waits for nobody who is to read it: whoever ends the command waits for the lock. */
    private static void say(String what) {
        Thread thread = new Thread(() -> System.err.println("belay: " + what), "belay-said");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error e) {
            // no thread is to be had
        }
    }

    /**
     * Waits for a moment until it is there, before anybody waits for a lock.
     *
     * @throws CliException if it cannot be, as where no further process may begin
     */
    void require() throws InterruptedException {
        try {
            begin.get();
        } catch (ExecutionException e) {
            throw CliException.of(
                    ExitCodes.STORE,
                    "the process that would end the command in time cannot begin: "
                            + Objects.requireNonNullElse(e.getCause(), e).getMessage());
        }
    }

    /**
     * Tells that the lock is held.
     *
     * @param name the lock's name, which the environment of the command has
     * @param token its token, likewise
     */
    void held(String name, long token) {
        try (var held = lock.hold()) {
            marks = "marks " + token + " " + name;
            write(marks);
        }
    }

    /** Tells that the lock was given back. */
    void free() {
        try (var held = lock.hold()) {
            marks = "";
            told = "";
            until = "";
            write("done");
        }
    }

    /** Tells which process the command is. */
    void command(long pid) {
        tell("command " + pid, "");
    }

    /** Tells that the command has ended by itself. */
    void ended() {
        tell("ended", "");
    }

    /** Tells that the command is to be killed after so long, unless something else is told before. */
    void killIn(Duration time) {
        tell("", "until " + (Uptime.hundredths() + Math.max(0, time.toMillis()) / 10));
    }

    /** Tells a state, a moment or both, which whoever takes the watcher's place is told, too. */
    private void tell(String state, String moment) {
        try (var held = lock.hold()) {
            told = state.isEmpty() ? told : state;
            until = moment;
            write(state);
            write(moment);
        }
    }

    private void write(String line) {
        Process present = process;
        if (present == null || line.isEmpty()) {
            return;
        }
        endIfStopped(present);
        try {
            present.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            present.getOutputStream().flush();
        } catch (IOException e) {
            // It has died, and another will be told.
        }
    }

    /** Kills one that was stopped, which would end nothing: another one takes its place. */
    private static void endIfStopped(Process watcher) {
        try {
            String stat = Files.readString(Path.of("/proc/" + watcher.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            if (stat.charAt(stat.lastIndexOf(')') + 2) == 'T') {
                watcher.destroyForcibly();
            }
        } catch (IOException e) {
            // It has died, and another will be told.
        }
    }

    /**
     * Ends the command with all that it has begun.
     *
     * @param grace the time from SIGTERM to SIGKILL
     * @return the numbers of those that are there still, with spaces between; they hang in the kernel or belong to somebody else
     */
    String end(Duration grace) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Process asked;
            try (var held = lock.hold()) {
                asked = Objects.requireNonNull(process);
                write("end " + hundredths(grace));
            }
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8));
            try {
                while (asked.isAlive() && !answer.ready()) {
                    endIfStopped(asked);
                    LockSupport.parkNanos(MOMENT);
                }
                String left = answer.readLine();
                if (left != null) {
                    return left;
                }
            } catch (IOException e) {
                // as if it had died
            }
            startAnother(asked);
        }
        return "all of them, as their watcher was killed again and again";
    }

    /** Ends the watch, after the lock was given back. */
    @Override
    public void close() {
        try (var held = lock.hold()) {
            closed = true;
            if (process != null) {
                process.getOutputStream().close();
            }
        } catch (IOException e) {
            // It has died, and no other one will be there.
        }
    }
}
