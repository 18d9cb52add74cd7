package io.belay.bench.library;

/** A lock that can only be tried, as its library cannot wait. */
abstract class ImpatientMutex implements TryMutex {
    @Override
    public Held acquire() {
        Held held = tryAcquire();
        if (held == null) {
            throw new IllegalStateException("the lock is taken, and this library cannot wait");
        }
        return held;
    }
}
