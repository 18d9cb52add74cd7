package io.belay.bench.library;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** etcd's own lock, by jetcd's client. */
final class JetcdLibrary implements Library {
    private static final long LEASE_SECONDS = 30;

    @Override
    public String name() {
        return "jetcd";
    }

    @Override
    public String store() {
        return "etcd";
    }

    @Override
    public String settings() {
        return "`Lock` of jetcd, which asks etcd's own lock service; one client as it comes, and a lease of "
                + LEASE_SECONDS + " s for each thread, kept alive over all rounds: two threads with one lease would not"
                + " exclude each other. It serves in the order of asking.";
    }

    @Override
    public Locks open(Site site) {
        JetcdLocks locks = new JetcdLocks(
                Client.builder().endpoints("http://" + site.address()).build());
        locks.connect();
        return locks;
    }

    private static final class JetcdLocks implements Locks {
        private final Client client;
        private final ThreadLocal<Long> lease = ThreadLocal.withInitial(this::grant);

        JetcdLocks(Client client) {
            this.client = client;
        }

        void connect() {
            lease.get();
        }

        private long grant() {
            Lease leases = client.getLeaseClient();
            long id = uninterrupted(leases.grant(LEASE_SECONDS)).getID();
            leases.keepAlive(id, Observers.<LeaseKeepAliveResponse>builder().build());
            return id;
        }

        @Override
        public Mutex mutex(String name) {
            Lock locks = client.getLockClient();
            ByteSequence key = ByteSequence.from(name, StandardCharsets.UTF_8);
            return () -> new JetcdHeld(locks, get(locks.lock(key, lease.get())).getKey());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record JetcdHeld(Lock locks, ByteSequence key) implements Held {
        @Override
        public void release() {
            uninterrupted(locks.unlock(key));
        }

        /** Returns true, as jetcd does not tell. */
        @Override
        public boolean isHeld() {
            return true;
        }
    }

    private static <T> T get(CompletableFuture<T> reply) throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static <T> T uninterrupted(CompletableFuture<T> reply) {
        return reply.join();
    }
}
