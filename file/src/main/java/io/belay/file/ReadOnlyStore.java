package io.belay.file;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that looks at a directory without being one of its clients: it makes no file there, takes no slot and reaps
 * no client. So any user who may read the files may look. It works on a thread of its own, like all that opens files.
 */
final class ReadOnlyStore implements Store {
    private static final Capabilities CAPABILITIES = Capabilities.none()
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true)
            .withSharing(true);

    private final Path directory;
    private final HostIdentity host;
    private final Boot.Clock clock;
    private final IoThread ioThread = new IoThread();

    /** The mapping of the last look; another directory may have taken its place. */
    private @Nullable View view;

    private record View(Object identity, Table table, Areas areas) {}

    private ReadOnlyStore(Path directory, HostIdentity host, Boot.Clock clock) {
        this.directory = directory;
        this.host = host;
        this.clock = clock;
    }

    static ReadOnlyStore open(Path directory, HostIdentity host, Boot.Clock clock) {
        ReadOnlyStore store = new ReadOnlyStore(directory, host, clock);
        try {
            store.ioThread.call(store::view);
            return store;
        } catch (ExecutionException e) {
            store.close();
            throw readable(directory, e);
        }
    }

    private static StoreException readable(Path directory, ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (cause instanceof StoreException failed) {
            return failed;
        }
        String reason = cause instanceof IOException io ? DirectoryFiles.reason(io) : cause.toString();
        return StoreException.unusable("cannot look at " + directory + ": " + reason, cause);
    }

    /** Returns the directory as it is mapped now; empty where no process has used it since the machine was booted. */
    private Optional<View> view() throws IOException {
        Directory.refuseMissing(directory);
        Directory.refuseShared(directory);
        refuseUnreadable(directory);
        Path boot = Boot.path(directory, host);
        DirectoryFiles.refuseLink(boot);
        boolean used = Boot.exists(directory, host);
        if (used) {
            refuseUnreadable(boot);
        }
        FormatFile.needsWriting(directory, host, used);
        if (!used) {
            OtherBoots.refuseLiving(directory, OtherBoots.find(directory, boot));
            view = null;
            return Optional.empty();
        }
        Object now =
                Objects.requireNonNull(Files.readAttributes(boot.resolve(RootTable.FILE), BasicFileAttributes.class)
                        .fileKey());
        View seen = view;
        if (seen == null || !seen.identity.equals(now)) {
            RootTable rootTable = Boot.rootTable(directory, host, clock.nanos(), true);
            OwnArea none = new OwnArea(boot, 0, (path, client, number, size) -> Segment.inMemory(size));
            Table table = new Table(rootTable, none, Head.NOBODY, directory.toString());
            seen = new View(now, table, new Areas(table, boot));
            view = seen;
        }
        return Optional.of(seen);
    }

    private static void refuseUnreadable(Path path) {
        if (!Files.isReadable(path) || !Files.isExecutable(path)) {
            throw StoreException.unusable(
                    path + " may not be read by this process (user " + Access.user()
                            + "): run it as the user that it belongs to",
                    null);
        }
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        return look(table -> () -> table.inspect(resource), Snapshot.of(0, Optional.empty()));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        return look(table -> new NameReading(table, prefix, cursor), NamePage.last(List.of()));
    }

    /** Looks at the directory as it is mapped now; {@code unused} is what is seen where no process has used it. */
    private <T> CompletionStage<T> look(Function<Table, Areas.Attempt<T>> how, T unused) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        ioThread.execute(() -> {
            try {
                Optional<View> found = view();
                if (found.isEmpty()) {
                    seen.complete(unused);
                } else {
                    View at = found.get();
                    at.areas.prune();
                    seen.complete(at.areas.provideFor(how.apply(at.table)));
                }
            } catch (IOException | RuntimeException | Error e) {
                seen.completeExceptionally(readable(directory, new ExecutionException(e)));
            }
        });
        return seen;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        return CompletableFuture.failedFuture(StoreException.unusable(
                "the URL of " + directory + " says readonly=true, so nothing can be taken or changed there: leave it"
                        + " out",
                null));
    }

    @Override
    public void close() {
        ioThread.close();
    }
}
