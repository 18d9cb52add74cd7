package io.belay.bench.library;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.bench.store.Store;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Belay in one of its settings.
 *
 * @param on where its locks are
 * @param name the setting's name
 * @param settings what is set, for the report
 * @param options the client's options; made where they are used, since another build may not have those of each setting
 * @param release how a lease is given back
 */
record BelayLibrary(Store on, String name, String settings, Supplier<BelayOptions> options, Consumer<Lease> release)
        implements Library {
    private static final String GATE = "io.belay.internal.gate.Gate";

    static BelayLibrary locking(Store on, String name, String settings, Supplier<LockOptions> options) {
        return new BelayLibrary(
                on, name, settings, () -> BelayOptions.defaults().withLockDefaults(options.get()), Lease::release);
    }

    @Override
    public String store() {
        return on.title();
    }

    @Override
    public Locks open(Site site) {
        return new BelayLocks(Belay.connect(site.server().toString(), options.get()), release);
    }

    private record BelayLocks(Belay belay, Consumer<Lease> release)
            implements Locks, ReentrantLocks, Semaphores, ReadWriteLocks {
        @Override
        public Mutex mutex(String name) {
            return new BelayMutex(belay.lock(name), release);
        }

        @Override
        public Lock reentrant(String name) {
            return belay.reentrantLock(name);
        }

        @Override
        public Mutex permit(String name, int permits) {
            return new BelayMutex(belay.semaphore(name, permits).permits(1), release);
        }

        @Override
        public Mutex reader(String name) {
            return new BelayMutex(belay.readWriteLock(name).readLock(), release);
        }

        @Override
        public Mutex writer(String name) {
            return new BelayMutex(belay.readWriteLock(name).writeLock(), release);
        }

        @Override
        public String traces() {
            // Another build may call it otherwise, and that there are none of them would be no finding then.
            return isClass(GATE) ? GATE : "";
        }

        private static boolean isClass(String name) {
            try {
                Class.forName(name, false, BelayLocks.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        }

        @Override
        public void close() {
            belay.close();
        }
    }

    private record BelayMutex(DistributedLock lock, Consumer<Lease> release) implements TryMutex {
        @Override
        public Held acquire() throws InterruptedException {
            return new BelayHeld(lock.acquire(), release);
        }

        @Override
        public @Nullable Held tryAcquire() {
            Optional<Lease> lease = lock.tryAcquire();
            return lease.isPresent() ? new BelayHeld(lease.get(), release) : null;
        }
    }

    private record BelayHeld(Lease lease, Consumer<Lease> giveBack) implements Held {
        @Override
        public void release() {
            giveBack.accept(lease);
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }
    }
}
