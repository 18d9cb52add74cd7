package io.belay.dashboard.look;

import io.belay.Belay;
import io.belay.dashboard.client.ClientSources;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a store for all pages that look. One thread reads, somewhat more often than once a second, so that what happens is
 * shown within one; it makes a frame for each {@link View} that is wanted. While nobody looks nothing is read.
 *
 * <p>Thread-safe. {@link #poll} and {@link #awaitViewer} block; nothing else does.
 */
public final class Watch implements AutoCloseable {
    private static final long PERIOD_NANOS = 750_000_000;
    private static final long POLLED_NANOS = 5_000_000_000L;
    private static final Duration FIRST_FRAME = Duration.ofSeconds(5);
    private static final Log LOG = Log.of(LogName.CLIENT);

    private final String instance = UUID.randomUUID().toString();
    private final Reader reader;
    private final Optional<Doctor> doctor;
    private final ClientSources clients;
    private final Thread thread;
    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();

    /** How many pages show a view. By the lock. */
    private final Map<View, Integer> viewers = new LinkedHashMap<>();

    /** When each view that is polled was asked for last. By the lock. */
    private final Map<View, Long> polled = new HashMap<>();

    /** The last frames of the views that are shown. By the lock. */
    private Map<View, PageFrame> frames = Map.of();

    private volatile Runnable listener = () -> {};

    private final Queue<Runnable> notes = new ConcurrentLinkedQueue<>();
    private boolean urgent;
    private boolean anew;
    private boolean closed;
    private boolean everSeen;

    // These for the thread that reads.

    /** Whether nobody has looked since the last reading. */
    private boolean idle = true;

    /** The instant at which the next reading is due. */
    private long next = System.nanoTime();

    /** The number of the last frames. */
    private long number;

    /**
     * Makes a watch.
     *
     * @param belay the client that reads
     * @param url the URL of its store, for what the doctor says; empty if it is not known, and then nothing is said
     * @param clients the clients that tell what the store does not know; closed by this
     */
    public Watch(Belay belay, Optional<String> url, ClientSources clients) {
        reader = new Reader(belay.admin());
        doctor = url.map(Doctor::new);
        this.clients = clients;
        thread = new Thread(this::run, "dashboard-reader");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns what tells it apart from all others: each numbers its frames from 1 on. */
    public String instance() {
        return instance;
    }

    /** Begins to show a view; {@link #leave} ends that. */
    public void enter(View view) {
        try (var held = lock.hold()) {
            if (viewers.isEmpty()) { // what was read before nobody looked is out of date
                frames = Map.of();
            }
            viewers.merge(view, 1, Integer::sum);
            anew = true;
            everSeen = true;
            changed.signalAll();
        }
    }

    /**
     * Returns the frame of a page that asks again and again instead of having a stream; it counts as one that looks until it has not
     * asked for five seconds. Waits for the first frame, and for no other.
     *
     * @param after the number of the last frame; 0 for the first
     * @return the frame; empty if there is none that is newer
     */
    public Optional<PageFrame> poll(View view, long after) throws InterruptedException {
        try (var held = lock.hold()) {
            if (polled.put(view, System.nanoTime()) == null) {
                enter(view);
            }
        }
        return await(view, after, after == 0 ? FIRST_FRAME : Duration.ZERO);
    }

    /** Returns how many different views are polled. */
    public int polled() {
        try (var held = lock.hold()) {
            return polled.size();
        }
    }

    /** Returns whether a view is polled. */
    public boolean isPolled(View view) {
        try (var held = lock.hold()) {
            return polled.containsKey(view);
        }
    }

    private void dropPolled() {
        long now = System.nanoTime();
        for (Map.Entry<View, Long> one : List.copyOf(polled.entrySet())) {
            if (now - one.getValue() > POLLED_NANOS) {
                polled.remove(one.getKey());
                leave(one.getKey());
            }
        }
    }

    /** Ends what {@link #enter} began. */
    public void leave(View view) {
        try (var held = lock.hold()) {
            viewers.computeIfPresent(view, (any, count) -> count == 1 ? null : count - 1);
            changed.signalAll();
        }
    }

    /** Returns the last frame of a view; null if there is none yet. */
    public @Nullable PageFrame frame(View view) {
        try (var held = lock.hold()) {
            return frames.get(view);
        }
    }

    /** Has something run, which may not block, on the reader's thread whenever frames were made. */
    public void onFrames(Runnable told) {
        listener = told;
    }

    /** Waits for a frame that is newer than one of that number; empty if there was none in time, or all is over. */
    private Optional<PageFrame> await(View view, long after, Duration most) throws InterruptedException {
        long left = most.toNanos();
        try (var held = lock.hold()) {
            while (!closed) {
                PageFrame frame = frames.get(view);
                if (frame != null && frame.number() > after) {
                    return Optional.of(frame);
                }
                if (left <= 0) {
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
            return Optional.empty();
        }
    }

    /** Waits until somebody has looked; returns whether somebody has. */
    public boolean awaitViewer(Duration most) throws InterruptedException {
        long left = most.toNanos();
        try (var held = lock.hold()) {
            while (!everSeen && left > 0) {
                left = changed.awaitNanos(left);
            }
            return everSeen;
        }
    }

    /** Tells pages that a hold was ended, and reads at once. */
    public void noteEnded(String name, String by) {
        notes.add(() -> reader.noteEnded(name, by));
        try (var held = lock.hold()) {
            urgent = true;
            changed.signalAll();
        }
    }

    private void run() {
        boolean failing = false;
        boolean goesOn = true;
        try {
            while (goesOn) {
                try {
                    goesOn = turn();
                    failing = false;
                } catch (RuntimeException | Error e) { // perhaps there is a thread to be had next time
                    if (!failing) {
                        LOG.error("A reading for the live page broke off; it is tried again each second", e);
                    }
                    failing = true;
                    TimeUnit.NANOSECONDS.sleep(PERIOD_NANOS);
                }
            }
        } catch (InterruptedException e) {
            close();
        } finally {
            reader.close();
            clients.close();
        }
    }

    /** Makes frames when it is time to; returns false when all is over. */
    private boolean turn() throws InterruptedException {
        Optional<List<View>> views = awaitTurn();
        if (views.isEmpty()) {
            return false;
        }
        boolean due = takeUrgent() || System.nanoTime() - next >= 0;
        if (due) {
            next = System.nanoTime() + PERIOD_NANOS;
            number++;
            for (Runnable note = notes.poll(); note != null; note = notes.poll()) {
                note.run();
            }
            if (idle) {
                reader.resume();
                clients.resume();
                idle = false;
            }
            doctor.ifPresent(Doctor::tick);
            clients.tick();
            reader.read(views.get());
        }
        publish(views.get(), due);
        return true;
    }

    /** Waits until it is time to read, or somebody wants another view. Returns the views; empty if all is over. */
    private Optional<List<View>> awaitTurn() throws InterruptedException {
        try (var held = lock.hold()) {
            while (!closed) {
                dropPolled();
                long left = next - System.nanoTime();
                if (!viewers.isEmpty() && (left <= 0 || urgent || anew)) {
                    anew = false;
                    return Optional.of(new ArrayList<>(viewers.keySet()));
                }
                if (viewers.isEmpty()) {
                    idle = true;
                    changed.await();
                } else {
                    long ignored = changed.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
                }
            }
            return Optional.empty();
        }
    }

    private boolean takeUrgent() {
        try (var held = lock.hold()) {
            boolean was = urgent;
            urgent = false;
            return was;
        }
    }

    /** Makes the frames; if nothing was read anew, of the views that have none. */
    private void publish(List<View> views, boolean all) {
        FrameText text = new FrameText(instance, reader, doctor, clients.shown());
        Map<View, PageFrame> shown = all ? new HashMap<>() : lastFrames();
        shown.keySet().retainAll(views);
        for (View view : views) {
            shown.computeIfAbsent(view, any -> new PageFrame(number, text.of(any)));
        }
        try (var held = lock.hold()) {
            frames = shown;
            changed.signalAll();
        }
        listener.run();
    }

    private Map<View, PageFrame> lastFrames() {
        try (var held = lock.hold()) {
            return new HashMap<>(frames);
        }
    }

    @Override
    public void close() {
        try (var held = lock.hold()) {
            closed = true;
            changed.signalAll();
        }
        thread.interrupt();
    }
}
