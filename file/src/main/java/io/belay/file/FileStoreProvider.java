package io.belay.file;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The provider that opens {@code file:DIR}, {@code file:/DIR} and {@code file:///DIR}. */
public final class FileStoreProvider implements StoreProvider {
    /** Makes a provider; the service loader does so. */
    public FileStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        if (client == 0) {
            throw new IllegalArgumentException("0 is no client's number");
        }
        FileUrl parsed = FileUrl.parse(url);
        return parsed.readonly()
                ? ReadOnlyStore.open(parsed.directory(), HostIdentity.current(), Boot.Clock.system())
                : FileStore.open(() -> ClientSession.Opening.of(parsed.directory(), parsed.access()), client, listener);
    }

    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        var unused = FileUrl.parse(url); // refuses one that is wrong
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        FileUrl parsed = FileUrl.parse(url);
        return Examination.of(parsed.directory(), parsed.access(), HostIdentity.current())
                .findings();
    }
}
