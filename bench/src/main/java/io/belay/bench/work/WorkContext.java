package io.belay.bench.work;

import io.belay.bench.library.Locks;

/**
 * The things that a workload works with.
 *
 * @param locks this process's client
 * @param name a name that no other case and library uses, to begin lock names with
 * @param number this process's number among those of the case, from 0
 * @param shared memory that the processes of the case have in common
 * @param scale from 0 to 1: how much of a large number to do in a run that is shortened
 */
public record WorkContext(Locks locks, String name, int number, SharedMemory shared, double scale) {
    /** Returns the client as one that has this, too: the libraries that a case names have what it needs. */
    <T> T locks(Class<T> kind) {
        return kind.cast(locks);
    }

    int scaled(int most) {
        return (int) Math.max(1, Math.min(most, Math.round(most * scale)));
    }
}
