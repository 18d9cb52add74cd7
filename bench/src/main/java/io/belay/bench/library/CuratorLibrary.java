package io.belay.bench.library;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Curator's recipes. */
final class CuratorLibrary implements Library {
    @Override
    public String name() {
        return "curator";
    }

    @Override
    public String store() {
        return "zookeeper";
    }

    @Override
    public String settings() {
        return "`InterProcessMutex`, `InterProcessSemaphoreV2` and `InterProcessReadWriteLock`, one for all threads of a"
                + " process; one client with the retry policy of its documentation, all else as it comes. They serve in"
                + " the order of asking.";
    }

    @Override
    public Locks open(Site site) throws InterruptedException {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(site.address(), new ExponentialBackoffRetry(1000, 3));
        client.start();
        client.blockUntilConnected();
        return new CuratorLocks(client);
    }

    private record CuratorLocks(CuratorFramework client) implements Locks, Semaphores, ReadWriteLocks {
        @Override
        public Mutex mutex(String name) {
            return new CuratorMutex(new InterProcessMutex(client, path(name)));
        }

        @Override
        public Mutex permit(String name, int permits) {
            InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(client, path(name), permits);
            return () -> new Permit(semaphore, unchecked(semaphore::acquire));
        }

        @Override
        public Mutex reader(String name) {
            return new CuratorMutex(new InterProcessReadWriteLock(client, path(name)).readLock());
        }

        @Override
        public Mutex writer(String name) {
            return new CuratorMutex(new InterProcessReadWriteLock(client, path(name)).writeLock());
        }

        private static String path(String name) {
            return "/" + name;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record CuratorMutex(InterProcessMutex mutex) implements TryMutex, Held {
        @Override
        public Held acquire() {
            return unchecked(() -> {
                mutex.acquire();
                return this;
            });
        }

        @Override
        public @Nullable Held tryAcquire() {
            return unchecked(() -> mutex.acquire(0, TimeUnit.SECONDS)) ? this : null;
        }

        @Override
        public void release() {
            unchecked(() -> {
                mutex.release();
                return this;
            });
        }

        @Override
        public boolean isHeld() {
            return mutex.isOwnedByCurrentThread();
        }
    }

    private record Permit(InterProcessSemaphoreV2 semaphore, Lease lease) implements Held {
        @Override
        public void release() {
            semaphore.returnLease(lease);
        }

        /** Returns true, as Curator does not tell of permits. */
        @Override
        public boolean isHeld() {
            return true;
        }
    }

    /** Calls a method of Curator's, which declares no more than that it may throw an Exception. */
    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
