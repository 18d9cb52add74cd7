package io.belay.file;

import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** An open store, and what it was told. */
final class Client implements AutoCloseable, Store.Listener {
    static final Owner OWNER = Owner.of("client", "host", 1, "main");
    static final long LEASE = 30_000_000;

    final long number;
    final FileStore store;
    final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
    private final Semaphore told = new Semaphore(0);
    private final AtomicLong claims = new AtomicLong();
    private volatile CountDownLatch heldUp = new CountDownLatch(0);

    private Client(ClientSession.Opening opening) {
        this(opening, ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    }

    /** One that has that number, which may have been here. */
    Client(ClientSession.Opening opening, long number) {
        this.number = number;
        store = FileStore.open(() -> opening, number, this);
    }

    static Client open(Path directory) {
        return new Client(ClientSession.Opening.of(directory, new Access(false)));
    }

    /** One that does nothing by itself. */
    static Client open(Path directory, HostIdentity host, Boot.Clock clock) {
        return new Client(opening(directory, host, clock, Segment::create));
    }

    static ClientSession.Opening opening(Path directory, HostIdentity host, Boot.Clock clock, OwnArea.Disk disk) {
        return new ClientSession.Opening(directory, new Access(false), host, clock, disk, false);
    }

    static Client open(ClientSession.Opening opening) {
        return new Client(opening);
    }

    ClaimId id() {
        return ClaimId.of(number, claims.incrementAndGet());
    }

    Answer send(Request request) {
        try {
            return store.send(request).toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException failed) {
                throw failed;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    Answer enter(String name, ClaimId id) {
        return enter(name, id, Resource.WHOLE, Resource.WHOLE);
    }

    Answer enter(String name, ClaimId id, int capacity, int weight) {
        return send(Request.Enter.of(name, id, ClaimSpec.of(capacity, weight, LEASE), 0, OWNER));
    }

    Answer leave(String name, ClaimId id) {
        return send(Request.Leave.of(name, id, false));
    }

    Store.Snapshot inspect(String name) {
        return store.inspect(name).toCompletableFuture().join();
    }

    boolean wasGranted(ClaimId id) {
        return pushes.stream().anyMatch(push -> push.granted() && push.id().equals(id));
    }

    boolean wasEnded(ClaimId id) {
        return pushes.stream().anyMatch(push -> !push.granted() && push.id().equals(id));
    }

    @Override
    public void pushed(Push push) {
        pushes.add(push);
        told.release();
        try {
            heldUp.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Keeps the store's thread in the next push until then. */
    void holdUp(CountDownLatch until) {
        heldUp = until;
    }

    /** Waits until a push comes, and forgets it. */
    void awaitPush(long millis) throws InterruptedException {
        if (told.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            told.drainPermits();
        }
        pushes.clear();
    }

    @Override
    public void reconnected() {}

    @Override
    public void close() {
        store.close();
    }

    /** Listens to nothing. */
    static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }
}
