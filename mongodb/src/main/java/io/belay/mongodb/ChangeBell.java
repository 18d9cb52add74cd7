package io.belay.mongodb;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import io.belay.document.Documents;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The calls between clients, by documents: each client has a change stream that shows the documents made for it. A
 * call only makes it look at the resource, since anybody who may write there may call.
 */
final class ChangeBell implements Runnable, AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    private static final long LONGEST_PAUSE = 2_000;

    /** The longest that a server waits for a change before it says that there was none, in milliseconds. */
    private static final long AWAIT = 1_000;

    /** The pause before a server that does not wait is asked again, in milliseconds. */
    private static final long IDLE = 5;

    /** The longest that closing waits for the stream to end, in milliseconds: a little more than a server waits for a change. */
    private static final long CLOSING = AWAIT + 250;

    private final Connections source;
    private final long client;
    private final Documents.Bell bell;
    private final long await;
    private final Thread thread;
    private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor;
    private volatile boolean closed;

    ChangeBell(Connections source, long client, Documents.Bell bell) {
        this(source, client, bell, work -> new Thread(null, work, "belay-mongodb-listen", 0, false));
    }

    ChangeBell(Connections source, long client, Documents.Bell bell, ThreadFactory threads) {
        this.source = source;
        this.client = client;
        this.bell = bell;
        await = Math.min(AWAIT, source.settings().timeout().toMillis() / 2);
        thread = threads.newThread(this);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader()); // the driver may look there
    }

    /** Begins the stream, and listens in a thread of its own from then on; returns false if the server has none. */
    boolean start() {
        try {
            cursor = open();
        } catch (RuntimeException e) {
            if (Failures.isWithoutChangeStreams(e)) {
                return false;
            }
            throw source.failures().of(e);
        }
        try {
            thread.start();
        } catch (Throwable e) { // as for want of threads
            hangUp();
            throw e;
        }
        return true;
    }

    private MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> open() {
        return source.collection()
                .watch(List.of(Aggregates.match(Filters.and(
                        Filters.eq("operationType", "insert"), Filters.eq("fullDocument." + Fields.TO, client)))))
                .maxAwaitTime(await, TimeUnit.MILLISECONDS)
                .cursor();
    }

    @Override
    public void run() {
        long pause = 0;
        while (!closed) {
            try {
                MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> present = cursor;
                if (present == null) {
                    TimeUnit.MILLISECONDS.sleep(pause);
                    pause = Math.min(LONGEST_PAUSE, pause * 2 + 50);
                    cursor = open();
                    bell.missed();
                } else {
                    listen(present);
                    pause = cursor == null ? pause : 0;
                }
            } catch (InterruptedException e) {
                break; // nobody but this class has the thread
            } catch (Throwable e) {
                failed(e);
            }
        }
        hangUp();
    }

    /** Hangs up. Throws nothing, also where there is no memory to say why: nobody would listen in its place. */
    private void failed(Throwable e) {
        try {
            hangUp();
            if (!(e instanceof RuntimeException)) {
                LOG.error("A call of another client could not be followed; waiters ask", e);
            } else if (!closed) {
                LOG.debug("Nobody can be heard now; waiters ask", e);
            }
        } catch (Throwable another) {
            // It goes on.
        }
    }

    private void listen(MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> present)
            throws InterruptedException {
        long begun = System.nanoTime();
        ChangeStreamDocument<BsonDocument> change = present.tryNext();
        BsonDocument call = change == null ? null : change.getFullDocument();
        if (call != null) {
            bell.rang(call.getString(Fields.RESOURCE).getValue());
        } else if (present.getServerCursor() == null) {
            hangUp(); // the collection was dropped, which ends the stream
        } else if (source.isReplaced(present.getServerAddress())) {
            hangUp(); // the former primary answers on, and may be behind or cut off from the others
        } else if (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(IDLE)) {
            TimeUnit.MILLISECONDS.sleep(IDLE);
        }
    }

    private void hangUp() {
        MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> present = cursor;
        cursor = null;
        if (present != null) {
            // Else the driver would not tell the server, which would keep the stream.
            boolean interrupted = Thread.interrupted();
            try {
                present.close();
            } catch (RuntimeException | Error e) {
                LOG.debug("The change stream did not end well", e);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the stream, while there are connections; waits for that, but not long, and not if the caller is interrupted. */
    @Override
    public void close() {
        thread.interrupt();
        closed = true; // after that, so that no interrupt comes while the stream is ended
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
