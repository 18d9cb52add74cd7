package io.belay.bench.library;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
        return new JdkLocks(new ConcurrentHashMap<>());
    }

    private record JdkLocks(Map<String, ReentrantLock> locks) implements Locks, ReentrantLocks {
        @Override
        public Mutex mutex(String name) {
            ReentrantLock lock = reentrant(name);
            return new JdkMutex(lock, lock::isHeldByCurrentThread);
        }

        @Override
        public ReentrantLock reentrant(String name) {
            return locks.computeIfAbsent(name, n -> new ReentrantLock(true));
        }

        @Override
        public void close() {
            locks.clear();
        }
    }
}
