package io.belay.support;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A logger for threads that must neither wait nor fail: timers, event loops, whoever holds a lock. Belay and its stores
 * log through nothing else.
 *
 * <p>A call puts the line into a queue and returns. The daemon thread {@code belay-log}, which lives while there is
 * something to write, formats lines and gives them to slf4j. So an appender that is slow, that hangs on a full disk, or
 * that throws, costs lines and no lease: at most 1,000 of them wait, and how many were lost is logged as soon as that is
 * possible. Logs show the time at which a line was written and that thread's name.
 *
 * <p>Arguments are formatted later and elsewhere, too: give texts and immutable values, or accept that a line shows what
 * became of them. Their {@code toString} may block and throw.
 *
 * <p>Thread-safe. No method but {@link #flush} and {@link #of} blocks or throws anything, whatever its arguments are.
 */
public final class Log {
    private static volatile LogQueue process = LogQueue.system();

    private final String name;
    private final Supplier<LogQueue> queue;

    /** Makes a logger by a queue of its own, for tests. */
    Log(String name, LogQueue queue) {
        this(name, () -> queue);
    }

    private Log(String name, Supplier<LogQueue> queue) {
        this.name = name;
        this.queue = queue;
    }

    /** Returns the logger of that name. */
    public static Log of(LogName name) {
        return new Log(Objects.requireNonNull(name, "name").text(), () -> process);
    }

    /**
     * Waits until all lines are written that were logged before, so that a process which is about to end has told
     * everything. An interrupt is kept for later.
     *
     * @param most the longest wait
     */
    public static void flush(Duration most) {
        process.flush(Objects.requireNonNull(most, "most"));
    }

    /** Sends all lines of this process through another queue, for tests and simulations; returns the one before. */
    static LogQueue through(LogQueue other) {
        LogQueue before = process;
        process = other;
        return before;
    }

    /**
     * Logs for those who look for a mistake; costs next to nothing while nobody does.
     *
     * @param format the line, with {@code {}} in the place of each argument
     * @param args its arguments; one more may be a {@link Throwable}, whose stack is then logged
     */
    public void debug(@Nullable String format, @Nullable Object @Nullable ... args) {
        queue.get().say(name, Level.DEBUG, format, args);
    }

    /** Logs what is good to know; arguments as for {@link #debug}. */
    public void info(@Nullable String format, @Nullable Object @Nullable ... args) {
        queue.get().say(name, Level.INFO, format, args);
    }

    /** Logs what somebody should look at; arguments as for {@link #debug}. */
    public void warn(@Nullable String format, @Nullable Object @Nullable ... args) {
        queue.get().say(name, Level.WARN, format, args);
    }

    /** Logs what must not happen; arguments as for {@link #debug}. */
    public void error(@Nullable String format, @Nullable Object @Nullable ... args) {
        queue.get().say(name, Level.ERROR, format, args);
    }

    /** Logs what must not happen, and why, also where there is no memory for arguments: then the line is lost. */
    public void error(@Nullable String text, @Nullable Throwable failure) {
        try {
            queue.get().say(name, Level.ERROR, text, new Object[] {failure});
        } catch (OutOfMemoryError e) {
            // who logs that something has failed has to go on
        }
    }
}
