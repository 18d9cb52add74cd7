package io.belay.trials.client;

import io.belay.trials.library.Ask;
import io.belay.trials.library.Library;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** A lock that each thread, by a client of its own, tries for a moment, again and again. */
final class StormWorkload implements Workload {
    /** The threads of a process, each with a client: with five processes a hundred clients. */
    static final int THREADS = 20;

    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final String NAME = "s";

    private final Library library;
    private final Recorder recorder;

    StormWorkload(Recorder recorder, Supplier<Library> opener) {
        library = opener.get();
        this.recorder = recorder.with(library);
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        Optional<Holding> holding = recorder.acquire(thread, Ask.mutex(NAME, PATIENCE));
        if (holding.isPresent()) {
            Pace.holdBriefly(random);
            holding.get().release();
        }
        Pace.rest(random);
    }

    @Override
    public void close() {
        library.close();
    }
}
