package io.belay.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * The signals that this process passes on to the command while it runs; while none runs they end this process. One that was
 * ignored when it started, as by nohup, stays ignored.
 */
final class Signals {
    private static final String INTERRUPT = "INT";
    private static final List<String> PASSED_ON = List.of("TERM", "HUP", INTERRUPT, "USR1", "USR2");

    /** Those after which nobody wants the command again. */
    private static final List<String> ENDING = List.of("TERM", "HUP", INTERRUPT);

    /** The places of a process group and of the terminal's one in /proc/self/stat, behind the command's name. */
    private static final int GROUP = 2;

    private static final int FOREGROUND = 5;

    /** Starts the command; in the thread that calls. */
    interface Starter {
        Child start() throws IOException;
    }

    private final Thread main = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Child child;
    /** The number of the signal after which this process is to end; 0 before. */
    private int number;

    private Signals() {}

    /** Takes the signals from the Java VM; the calling thread is interrupted by one that finds no command. */
    static Signals install() {
        Signals signals = new Signals();
        for (String name : PASSED_ON) {
            try {
                SignalHandler before = Signal.handle(new Signal(name), signals::on);
                if (before == SignalHandler.SIG_IGN) {
                    Signal.handle(new Signal(name), SignalHandler.SIG_IGN);
                }
            } catch (IllegalArgumentException e) {
                // The system has none of that name, or the Java VM was told to leave it alone (-Xrs).
            }
        }
        return signals;
    }

    private void on(Signal signal) {
        lock.lock();
        try {
            if (child == null || ENDING.contains(signal.getName())) {
                number = signal.getNumber();
            }
            if (child == null) {
                main.interrupt();
            } else if (!signal.getName().equals(INTERRUPT) || !isInForeground()) {
                child.signal(signal.getName());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a terminal sends Ctrl-C to the whole process group, so that the command has it already. */
    private static boolean isInForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[GROUP].equals(fields[FOREGROUND]);
        } catch (IOException e) {
            return true; // no Linux; mostly it is a terminal
        }
    }

    /**
     * Starts the command, to which signals go from then on.
     *
     * @throws InterruptedException if one has come before
     */
    Child start(Starter starter) throws IOException, InterruptedException {
        lock.lock();
        try {
            if (number != 0) {
                throw new InterruptedException();
            }
            Child started = starter.start();
            child = started;
            return started;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the command has ended. */
    void commandEnded() {
        lock.lock();
        try {
            child = null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a signal has come after which this process is to end. */
    boolean hasCome() {
        lock.lock();
        try {
            return number != 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the exit code after such a signal. */
    int exitCode() {
        lock.lock();
        try {
            return ExitCodes.SIGNALLED + number;
        } finally {
            lock.unlock();
        }
    }
}
