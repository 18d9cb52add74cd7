package io.belay.file;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told otherwise. */
final class FakeClock {
    final AtomicLong micros;
    final AtomicLong wall;

    FakeClock(long micros, long wall) {
        this.micros = new AtomicLong(micros);
        this.wall = new AtomicLong(wall);
    }

    FakeClock() {
        this(5_000_000_000L, 1_800_000_000_000_000L);
    }

    Boot.Clock clock() {
        return new Boot.Clock(() -> micros.get() * 1000, wall::get);
    }

    void advance(long by) {
        micros.addAndGet(by);
        wall.addAndGet(by);
    }
}
