package io.belay.document;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A store of locks in a database: a resource is a document that a client applies the reference model to, and writes
 * only if nobody has changed it meanwhile. Two connections serve a client, however much it asks: each reads together
 * and writes together what is asked of different resources at the same time, and makes one change of what is asked of
 * one resource.
 *
 * <p>A client holds nothing in the database while it computes, so that one which is stopped then stops nobody.
 */
public final class DocumentStore implements Store {
    private static final int WORKERS = 2;
    private static final Duration FAR_SLICE = Duration.ofMillis(10);
    private static final long CLOSING = TimeUnit.SECONDS.toMillis(2);

    private final Documents documents;
    private final Listener listener;
    private final ResourceQueues queues;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * @param name names its threads
     * @param documents the database, which is closed with the store, and if there is to be none
     * @param client the number of this client
     */
    public DocumentStore(String name, Documents documents, long client, Listener listener) {
        Objects.requireNonNull(name, "name");
        this.documents = Objects.requireNonNull(documents, "documents");
        this.listener = Objects.requireNonNull(listener, "listener");
        queues = new ResourceQueues(client);
        try {
            PollSchedule schedule = new PollSchedule(documents.listen(client, new Calls()));
            SoleUserCache soleUser = new SoleUserCache(documents.isFar());
            for (int i = 0; i < WORKERS; i++) {
                Worker worker = new Worker(documents, queues, listener, client, schedule, soleUser);
                workers.add(worker);
                threads.add(worker.thread(name + "-" + i, worker));
            }
            threads.forEach(Thread::start);
        } catch (Throwable e) {
            close(); // there is no store, and nobody else would end what was begun
            throw e;
        }
    }

    private final class Calls implements Documents.Bell {
        @Override
        public void rang(String resource) {
            queues.look(resource);
        }

        @Override
        public void missed() {
            if (!closed) {
                listener.reconnected();
            }
        }
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(true)
                .withDurableTokens(true)
                .withExpiry(true)
                .withSharing(true);
    }

    /** A hand-over takes two or three round trips, and a commit. */
    @Override
    public Duration slice() {
        return documents.isFar() ? FAR_SLICE : Store.super.slice();
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        queues.add(request.resource(), new Operation.Ask(request, answer));
        return answer;
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        CompletableFuture<Snapshot> snapshot = new CompletableFuture<>();
        queues.add(resource, new Operation.Inspect(snapshot));
        return snapshot;
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        CompletableFuture<NamePage> answer = new CompletableFuture<>();
        queues.add(new PageQueue.Page(prefix, cursor, answer));
        return answer;
    }

    @Override
    public void close() {
        closed = true;
        queues.close();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSING);
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= !join(thread, until);
        }
        workers.forEach(Worker::stop);
        queues.abandon();
        documents.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread to end, until a time: what it writes may end claims. Returns false if the caller was interrupted. */
    private static boolean join(Thread thread, long until) {
        boolean interrupted = false;
        while (true) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, until - System.nanoTime()));
                return !interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
