package io.belay.file;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of a directory. Requests run in the calling thread; the rare one that needs a file, on the store's thread.
 */
final class FileStore implements Store, ClientLinks.Events, DeadClientReaper.Teller {

    private static final Capabilities CAPABILITIES = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true)
            .withSharing(true);
    private static final long CLOSING = TimeUnit.SECONDS.toNanos(5);

    private final long client;
    private final Listener listener;
    private final IoThread ioThread;
    private final ClientSession session;
    private final Table table;
    private volatile boolean closed;

    private FileStore(long client, Listener listener, IoThread ioThread, ClientSession.Opening opening)
            throws IOException {
        this.client = client;
        this.listener = listener;
        this.ioThread = ioThread;
        session = new ClientSession(opening, client, this, this);
        table = session.table;
    }

    /** Opens a directory, and does all of it on the store's thread, since the caller may be interrupted. */
    static FileStore open(Callable<ClientSession.Opening> how, long client, Listener listener) {
        IoThread ioThread = new IoThread();
        try {
            return ioThread.call(() -> {
                ClientSession.Opening opening = how.call();
                FileStore store = new FileStore(client, listener, ioThread, opening);
                store.begin();
                if (opening.regular()) {
                    ioThread.everySecond(store.session::everySecond);
                }
                return store;
            });
        } catch (ExecutionException e) {
            ioThread.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof StoreException failed) {
                throw failed;
            }
            String reason = cause instanceof IOException io ? DirectoryFiles.reason(io) : cause.toString();
            String what = "cannot use the directory: " + reason;
            throw cause
                            instanceof
                            VirtualMachineError // as for want of threads or memory, which may be there in a moment
                    ? StoreException.unreachable(what, e)
                    : StoreException.unusable(what, e);
        }
    }

    private void begin() {
        try {
            session.start();
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        return stage(() -> run(request));
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        return stage(() -> table.inspect(resource));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        return stage(new NameReading(table, prefix, cursor));
    }

    /** Runs an attempt here and now; or, if it needs files, on the store's thread. */
    private <T> CompletableFuture<T> stage(Areas.Attempt<T> attempt) {
        try {
            return CompletableFuture.completedFuture(attempt.run());
        } catch (NeedsFiles e) {
            CompletableFuture<T> later = new CompletableFuture<>();
            ioThread.execute(() -> {
                try {
                    later.complete(session.areas.provideFor(attempt));
                } catch (RuntimeException | Error failed) {
                    later.completeExceptionally(readable(failed));
                }
            });
            return later;
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(readable(e));
        }
    }

    /**
     * Explains an InternalError, which is an access to mapped memory that the kernel could not satisfy; as far as there is
     * memory for that.
     */
    private Throwable readable(Throwable e) {
        try {
            return e instanceof InternalError
                    ? StoreException.unusable(
                            "the files in " + session.directory
                                    + " cannot be read or written any more: is the disk full or failing?",
                            e)
                    : e;
        } catch (OutOfMemoryError none) { // the request is to be answered all the same
            return e;
        }
    }

    private Answer run(Request request) throws NeedsFiles {
        Step step = table.run(request);
        tell(request.resource(), step);
        Answer.State state = step.answer().state();
        if (state == Answer.State.WAITING) {
            session.scanner.waiting(request.resource());
        }
        if (state == Answer.State.WAITING || state == Answer.State.BUSY) {
            watchHolders(step);
        }
        return step.answer();
    }

    /** Watches the holders of other clients, so that this one notices at once when one of them dies, also if it only tries. */
    private void watchHolders(Step step) {
        for (Claim holder : step.next().holders()) {
            long owner = holder.id().client();
            if (owner != client && owner != ClaimId.NOBODY && !outlivesItsClient(holder)) {
                session.wire.watch(owner);
            }
        }
    }

    /** Returns whether the client of a claim has been reaped before the end that was fixed for it. */
    private boolean outlivesItsClient(Claim claim) {
        return DeadClientReaper.isFixed(claim)
                && table.rootTable.slotOf(claim.id().client()) < 0;
    }

    @Override
    public void tell(String resource, Step step) {
        step.pushes(resource).forEach(session.wire::push);
    }

    @Override
    public void received(Push push) {
        if (!closed) {
            listener.pushed(push);
        }
    }

    @Override
    public void removed() {
        if (!closed) {
            listener.reconnected(); // so that its holders ask, and are told of their loss
        }
    }

    /**
     * Skips the claim of a client that has left, so that the next one has its turn, if there was a push for it;
     * otherwise reaps a client that has left or is dead.
     */
    @Override
    public void unreached(long peer, Endpoint.Outcome why, @Nullable Push push) {
        ioThread.execute(() -> {
            if (!table.isUsable()) {
                return;
            }
            int slot = table.rootTable.slotOf(peer);
            boolean left = slot < 0 || table.rootTable.isClosed(slot);
            if (left && push != null) {
                session.areas.provideFor(() -> run(Request.Skip.of(push.resource(), push.id(), push.sequence())));
            } else if (left || why == Endpoint.Outcome.REFUSED) {
                session.reaper.reap(peer);
                session.watchNext(); // many may have died together
            }
        });
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (ioThread.isMine()) {
                session.close();
            } else {
                ioThread.call(
                        () -> {
                            session.close();
                            return this;
                        },
                        CLOSING);
            }
        } catch (ExecutionException | TimeoutException e) {
            FileLog.LOG.warn("{} was not closed in good order: {}", session.directory, e.toString());
        } finally {
            ioThread.close();
        }
    }

    /** Does some of the session's regular work now, on the store's thread, and waits for it. For tests. */
    void regularly(Consumer<ClientSession> work) {
        try {
            ioThread.call(() -> {
                work.accept(session);
                return this;
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
