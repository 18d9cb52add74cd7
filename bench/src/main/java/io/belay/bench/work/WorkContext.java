package io.belay.bench.work;

import io.belay.bench.library.Locks;

/**
 * What a workload works with.
 *
 * @param locks this process's client
 * @param name a name that no other case and library uses, to begin lock names with
 * @param number this process's number among those of the case, from 0
 * @param shared memory that it has in common with them
 * @param scale from 0 to 1: how much of a large number to do in a run that is shortened
 */
public record WorkContext(Locks locks, String name, int number, SharedMemory shared, double scale) {
    /** The client as one that has this, too: what a case needs, the libraries that it names have. */
    <T> T locks(Class<T> kind) {
        return kind.cast(locks);
    }

    int scaled(int most) {
        return (int) Math.max(1, Math.min(most, Math.round(most * scale)));
    }
}
