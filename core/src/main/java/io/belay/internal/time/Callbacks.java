package io.belay.internal.time;

import io.belay.BelayOptions;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The threads for users' code: the dependents of futures run on the callback executor, where they may block, and
 * notices of losses on a few threads of their own, so that no blocked callback keeps a loss from being told. Reports of
 * what is slow have one more. No task is dropped.
 */
public final class Callbacks extends Timers.Timer {
    /** The time for which a notice waits for a thread until that is logged, in nanoseconds. */
    private static final long LONG = 1_000_000_000;

    /** The most threads that tell of losses and the like. */
    private static final int TELLERS = 8;

    private static final String LATE = "The notice of a lost lease has waited for a second. At most " + TELLERS
            + " onLost listeners run at a time: have them hand long work to threads of their own";

    private final Time time;
    private final Timers timers;
    private final Workers notices;
    /** The threads for looks at all that is held, which may take so long that nobody is to wait for them. */
    public final Workers reports;

    private final Workers own;
    private final List<Workers> all;
    private final Executor executor;
    private final BiConsumer<String, String> warn;

    /**
     * Makes those of a client; {@code warn} is told, for the log, of each task that the user's executor does not take and of
     * each thread that cannot be started, by a kind and a text.
     */
    public Callbacks(BelayOptions options, Time time, Threads threads, Timers timers, BiConsumer<String, String> warn) {
        this.time = time;
        this.timers = timers;
        String client = options.clientName();
        notices = threads.workers(time, "belay-notice-" + client, TELLERS, this::starved);
        reports = threads.workers(time, "belay-report-" + client, 1, this::starved);
        own = threads.workers(time, "belay-callback-" + client, Integer.MAX_VALUE, this::starved);
        all = List.of(notices, reports, own);
        executor = options.callbackExecutor().orElse(own);
        this.warn = warn;
    }

    /** Runs the task on the callback executor, or on a thread of Belay's where the executor takes none. */
    public void run(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                Workers.perform(task);
            }
        };
        try {
            executor.execute(once);
        } catch (Throwable e) { // it is the user's, and may be shut down
            own.execute(once); // first, whatever becomes of the line
            String text = "The callback executor takes no more tasks, so a thread of Belay's runs them: ";
            warn.accept("rejected", text + e);
        }
    }

    /** Runs a task that tells a user something, which must not wait for the callbacks on the other threads. */
    public void tell(Runnable task) {
        Timers.Timer late = Timers.Timer.of(() -> warn.accept("late", LATE));
        Workers.perform(() -> timers.schedule(late, time.nanos() + LONG)); // whatever becomes of that: the task is run
        notices.execute(() -> {
            Workers.perform(() -> timers.cancel(late));
            task.run();
        });
    }

    private void starved() {
        timers.schedule(this, time.nanos() + Timers.AGAIN);
        warn.accept("starved", "No thread can be started for callbacks, which wait until one can");
    }

    @Override
    public void fire(long now) {
        all.forEach(Workers::staff);
    }

    /** Lets threads rest again between two tasks, after {@link #close}. */
    public void open() {
        all.forEach(Workers::open);
    }

    /** Lets the threads end once there is nothing to do. */
    public void close() {
        timers.cancel(this);
        all.forEach(Workers::close);
    }
}
