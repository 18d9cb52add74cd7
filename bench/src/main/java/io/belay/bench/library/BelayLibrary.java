package io.belay.bench.library;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Belay in one of its settings.
 *
 * @param name the setting's name
 * @param settings what is set, for the report
 * @param options the options of its locks
 * @param release how a lease is given back
 */
record BelayLibrary(String name, String settings, LockOptions options, Consumer<Lease> release) implements Library {
    BelayLibrary(String name, String settings, LockOptions options) {
        this(name, settings, options, Lease::release);
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public Locks open(Site site) {
        Belay belay =
                Belay.connect(site.redis().toString(), BelayOptions.defaults().withLockDefaults(options));
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                return new BelayMutex(belay.lock(name), release);
            }

            @Override
            public Lock reentrant(String name) {
                return belay.reentrantLock(name);
            }

            @Override
            public String traces() {
                return "io.belay.internal.ExclusiveGate";
            }

            @Override
            public void close() {
                belay.close();
            }
        };
    }

    private record BelayMutex(DistributedLock lock, Consumer<Lease> release) implements Mutex {
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
