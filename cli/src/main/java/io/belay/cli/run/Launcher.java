package io.belay.cli.run;

import io.belay.cli.text.CliException;
import io.belay.support.Mutex;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;

/**
 * The shell that has started this process, and starts the user's command ({@code launch.sh}). It passes signals on while a
 * command runs; those that come while none runs end this process.
 */
public final class Launcher implements AutoCloseable {
    /** The system property that says that there is one, which listens to the descriptor 3. */
    private static final String PROPERTY = "belay.launched";

    private static final Path OUTPUT = Path.of("/proc/self/fd/3");

    /**
     * What is said to it; null if there is none. It is not the standard output, to which Java itself logs, and what else runs in its VM:
     * that is the user's error output.
     */
    private static @Nullable PrintStream output;

    /** Those after which nobody wants the command again; one that outlives a HUP may have read its configuration anew. */
    private static final List<String> ENDING = List.of("TERM", "INT", "QUIT");

    /** So long after a signal the command may take to begin. A script that has not begun it then will not. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    /** So often something else is done while a command is waited for that does not begin. */
    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(50);

    private final Thread main = Thread.currentThread();
    private final PrintStream to;
    /** A channel, whose close ends a read: a Java VM waits a third of a second for threads that are in one when it exits. */
    private final FileChannel from = new FileInputStream(FileDescriptor.in).getChannel();

    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private boolean running;
    private long pid;
    private int exitCode;
    private boolean gone;
    private @Nullable Runnable whenGone;
    /** The number of the signal after which this process is to end; 0 before. */
    private int signal;

    /**
     * What a launcher is told.
     *
     * @param name the lock's name, for the command's environment
     * @param token its token, likewise
     * @param words where the command stands
     * @param lostCode the exit code if this process dies before the command
     */
    record Call(String name, long token, CommandWords words, int lostCode) {
        private String text() {
            return name + '\0' + token + '\0' + words.first() + '\0' + words.skipped() + '\0' + lostCode + '\0';
        }
    }

    private Launcher(PrintStream to) {
        this.to = to;
    }

    /** Tells the launcher, if there is one, that this process has begun. */
    public static void begin() {
        if (Boolean.getBoolean(PROPERTY) && isPipe(OUTPUT)) {
            try {
                output = new PrintStream(new FileOutputStream(OUTPUT.toFile()));
            } catch (FileNotFoundException e) {
                throw new UncheckedIOException(e);
            }
            end();
        }
    }

    /** Tells the launcher, if there is one, that this process ends: an exit code without that is none of Belay's. */
    public static void end() {
        if (output != null) {
            output.print('\0');
            output.flush();
        }
    }

    /** Returns where to print what is for the user, which the launcher passes on. */
    public static PrintStream out() {
        return output == null ? System.out : output;
    }

    /**
     * Begins to listen to the launcher; the calling thread is interrupted by a signal that finds no command.
     *
     * @throws CliException if there is none
     */
    static Launcher open() {
        if (output == null) {
            throw CliException.usage("run and lead are started by the script 'belay', not by java: call that");
        }
        Launcher launcher = new Launcher(output);
        Thread listening = new Thread(launcher::listen, "belay-launcher");
        listening.setDaemon(true);
        listening.start();
        return launcher;
    }

    /** Looks only: what lies at a descriptor may be a file of the Java VM's own, which is not to be opened for writing. */
    private static boolean isPipe(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false; // closed
        }
    }

    private void listen() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(from), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 2);
                told(words[0], words[1]);
            }
        } catch (ClosedChannelException e) {
            return; // by this process
        } catch (IOException e) {
            // as if it were at its end
        }
        told("gone", "");
    }

    private void told(String what, String value) {
        try (var held = lock.hold()) {
            switch (what) {
                case "started" -> pid = Long.parseLong(value);
                case "ended" -> {
                    exitCode = Integer.parseInt(value);
                    running = false;
                    whenGone = null;
                }
                case "signal" -> signalled(value);
                default -> {
                    gone = true;
                    if (whenGone == null) {
                        main.interrupt();
                    } else {
                        whenGone.run();
                    }
                }
            }
            changed.signalAll();
        }
    }

    private void signalled(String name) {
        if (!running || ENDING.contains(name)) {
            signal = new Signal(name).getNumber();
        }
        if (!running) {
            main.interrupt();
        }
    }

    /**
     * Has the command started.
     *
     * @param meanwhile is called now and then until it has
     * @param whenGone is called if the launcher dies before the command has ended, and must not block
     * @return the command's process id; 0 if it has ended already
     * @throws InterruptedException if a signal came before, or came since and the command does not begin
     */
    long start(Call call, Runnable meanwhile, Runnable whenGone) throws InterruptedException {
        try (var held = lock.hold()) {
            try {
                if (signal != 0 || gone) {
                    throw new InterruptedException();
                }
                running = true;
                pid = 0;
                this.whenGone = whenGone;
                to.writeBytes(call.text().getBytes(StandardCharsets.UTF_8));
                awaitBegin(meanwhile);
                return pid;
            } catch (InterruptedException e) {
                close(); // before the lock is given back: a launcher that nobody listens to kills what it begins
                throw e;
            }
        }
    }

    private void awaitBegin(Runnable meanwhile) throws InterruptedException {
        long left = PATIENCE;
        while (running && pid == 0 && !gone) {
            if (left <= 0) {
                throw new InterruptedException();
            }
            boolean signalled = signal != 0;
            long rest = changed.awaitNanos(SLICE);
            if (signalled) {
                left -= SLICE - rest;
            }
            if (rest <= 0) {
                meanwhile.run();
            }
        }
    }

    /** Waits for the command's end, and returns its exit code, or 128 and the number of the signal that ended it. */
    int await() {
        try (var held = lock.hold()) {
            while (running) {
                changed.awaitUninterruptibly();
            }
            return exitCode;
        }
    }

    /** Notes that the command has been ended, which a launcher that is gone does not tell. */
    void ended() {
        told("ended", Integer.toString(ExitCodes.LOST));
    }

    /** Returns whether a signal has come after which this process is to end. */
    boolean hasSignal() {
        try (var held = lock.hold()) {
            return signal != 0 || gone;
        }
    }

    /** Returns the exit code after such a signal. */
    int signalCode() {
        try (var held = lock.hold()) {
            return gone ? ExitCodes.LOST : ExitCodes.SIGNALLED + signal;
        }
    }

    /** Listens no more. */
    @Override
    public void close() {
        try {
            from.close();
        } catch (IOException e) {
            // Nothing more is read.
        }
    }
}
