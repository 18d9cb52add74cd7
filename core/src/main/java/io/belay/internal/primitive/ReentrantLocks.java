package io.belay.internal.primitive;

import io.belay.Lease;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The threads of this client that hold reentrant locks, and how often: one entry for each thread and lock. */
public final class ReentrantLocks {
    private record Key(String name, Thread thread) {}

    /** The levels of one thread; touched by that thread alone. */
    static final class Levels {
        final Thread thread;
        Lease lease;
        int count = 1;

        Levels(Thread thread, Lease lease) {
            this.thread = thread;
            this.lease = lease;
        }
    }

    private final ConcurrentHashMap<Key, Levels> held = new ConcurrentHashMap<>();

    @Nullable
    Levels ofCurrentThread(String name) {
        return held.get(new Key(name, Thread.currentThread()));
    }

    Levels add(String name, Lease lease) {
        Levels levels = new Levels(Thread.currentThread(), lease);
        held.put(new Key(name, levels.thread), levels);
        return levels;
    }

    void remove(String name) {
        held.remove(new Key(name, Thread.currentThread()));
    }
}
