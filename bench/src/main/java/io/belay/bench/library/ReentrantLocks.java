package io.belay.bench.library;

import java.util.concurrent.locks.Lock;

/** A client whose library has locks that their thread may take again. */
public interface ReentrantLocks {
    Lock reentrant(String name);
}
