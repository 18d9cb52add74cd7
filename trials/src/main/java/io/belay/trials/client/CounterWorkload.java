package io.belay.trials.client;

import io.belay.trials.history.Event.Type;
import io.belay.trials.library.Ask;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Reads a counter, sleeps, and writes one more, under the lock and nothing else: a client that is paused in between
 * writes over its successor. In the midst of it a guarded counter is raised, too.
 */
final class CounterWorkload implements Workload {
    private static final List<String> NAMES = GuardedDatabase.names();

    private final Recorder recorder;
    private final UnguardedFile file;
    private final Guard guard;

    CounterWorkload(Recorder recorder, UnguardedFile file, Guard guard) {
        this.recorder = recorder;
        this.file = file;
        this.guard = guard;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException, IOException, SQLException {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        Optional<Holding> had = recorder.acquire(thread, Ask.mutex(name, null));
        if (had.isEmpty()) {
            Pace.rest(random);
            return;
        }
        Holding holding = had.get();
        try {
            long value = file.read(name) + 1;
            guard.begin(holding);
            Pace.hold(holding, random);
            guard.increment(holding);
            holding.add(Type.WRITE, System.nanoTime(), value);
            file.write(name, value);
            holding.add(Type.WRITTEN, System.nanoTime(), value);
        } finally {
            holding.release();
        }
    }
}
