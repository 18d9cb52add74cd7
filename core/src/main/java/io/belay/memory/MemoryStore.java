package io.belay.memory;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A client's connection to a {@link MemorySpace}. Every request is answered inside the call. */
final class MemoryStore implements Store {
    private static final Capabilities CAPABILITIES = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withExpiry(true)
            .withSharing(true);

    private final MemorySpace space;
    private final Runnable onClose;
    private volatile boolean closed;

    MemoryStore(MemorySpace space, Runnable onClose) {
        this.space = space;
        this.onClose = onClose;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        return closed ? failed() : CompletableFuture.completedStage(space.run(request, true));
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        return closed ? failed() : CompletableFuture.completedStage(space.inspect(resource));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        return closed ? failed() : CompletableFuture.completedStage(space.names(prefix));
    }

    private static <T> CompletionStage<T> failed() {
        return CompletableFuture.failedStage(StoreException.unusable("the client was closed", null));
    }

    @Override
    public void close() {
        closed = true;
        onClose.run();
    }
}
