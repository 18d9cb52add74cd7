package io.belay.bench.library;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A fair lock of the JDK: what first come, first served costs in one process with no store at all. */
final class JdkLibrary implements Library {
    @Override
    public String name() {
        return "jdk-fair";
    }

    @Override
    public String store() {
        return "";
    }

    @Override
    public String settings() {
        return "`new ReentrantLock(true)`, no store: what strict order among threads costs by itself.";
    }

    @Override
    public Locks open(Site site) {
        Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                ReentrantLock lock = lock(name);
                return new JdkMutex(lock, lock::isHeldByCurrentThread);
            }

            @Override
            public Lock reentrant(String name) {
                return lock(name);
            }

            private ReentrantLock lock(String name) {
                return locks.computeIfAbsent(name, n -> new ReentrantLock(true));
            }

            @Override
            public void close() {
                locks.clear();
            }
        };
    }
}
