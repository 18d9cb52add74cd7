package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import io.belay.bench.library.ReadWriteLocks;
import io.belay.bench.library.Semaphores;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** The work of threads that take and give back, as fast as they can, what several may hold at once. */
public final class ShareLoad implements Workload {
    private static final int EVERYTHING = 1_000;

    private final WorkContext context;
    private final int count;
    private final boolean pairs;
    private final Share usual;
    private final Share rare;
    private final int every;
    private final Occupancy occupancy;
    private final LongAdder violations = new LongAdder();
    private LoopingThreads threads = new LoopingThreads();

    /** A lock or a permit to take, and what it weighs. */
    private record Share(Mutex mutex, int weight) {}

    private ShareLoad(
            WorkContext context,
            int processes,
            int count,
            boolean pairs,
            int room,
            Share usual,
            Share rare,
            int every) {
        this.context = context;
        this.count = count;
        this.pairs = pairs;
        this.usual = usual;
        this.rare = rare;
        this.every = every;
        this.occupancy = new Occupancy(context.shared(), processes * count, room, violations);
    }

    /**
     * Returns the work with one permit of so many; timed from asking to holding, or to having given back if there is
     * but one thread.
     */
    public static ShareLoad permits(WorkContext context, int processes, int threads, int permits) {
        Share permit = new Share(context.locks(Semaphores.class).permit(context.name(), permits), 1);
        return new ShareLoad(context, processes, threads, processes * threads == 1, permits, permit, permit, 1);
    }

    /**
     * Returns the work with a lock of which each thread is a writer once in so many times, and else a reader; timed
     * from asking to holding.
     */
    public static ShareLoad readWrite(WorkContext context, int processes, int threads, int every) {
        ReadWriteLocks locks = context.locks(ReadWriteLocks.class);
        return new ShareLoad(
                context,
                processes,
                threads,
                false,
                EVERYTHING,
                new Share(locks.reader(context.name()), 1),
                new Share(locks.writer(context.name()), EVERYTHING),
                every);
    }

    @Override
    public void start() {
        threads = new LoopingThreads();
        for (int i = 0; i < count; i++) {
            int place = context.number() * count + i;
            threads.start(new Taker(place));
        }
    }

    private final class Taker implements LoopingThreads.Step {
        private final int place;
        private int turn;

        Taker(int place) {
            this.place = place;
            // So that not all are writers at the same time.
            this.turn = place;
        }

        @Override
        public void once(Recorder recorder) throws InterruptedException {
            Share share = ++turn % every == 0 ? rare : usual;
            long asked = System.nanoTime();
            Held held = share.mutex().acquire();
            if (!pairs) {
                recorder.recordValue(System.nanoTime() - asked);
            }
            occupancy.enter(place, share.weight());
            occupancy.leave(place);
            held.release();
            if (pairs) {
                recorder.recordValue(System.nanoTime() - asked);
            }
        }
    }

    @Override
    public Sample measure(Duration time) throws InterruptedException {
        return threads.measure(time, violations);
    }

    @Override
    public Map<String, Double> stop() throws InterruptedException {
        threads.end();
        threads.join();
        return Map.of();
    }
}
