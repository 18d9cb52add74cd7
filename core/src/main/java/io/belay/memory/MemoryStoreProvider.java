package io.belay.memory;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The provider of {@code memory:NAME}: locks among threads and clients of one JVM, for tests and single processes. */
public final class MemoryStoreProvider implements StoreProvider {
    private static final ConcurrentHashMap<String, MemorySpace> SPACES = new ConcurrentHashMap<>();

    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public MemoryStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        String name = name(url);
        MemorySpace space = SPACES.compute(name, (key, old) -> {
            MemorySpace joined = old == null ? new MemorySpace(MemorySpace.CLOCK) : old;
            joined.join(client, listener);
            return joined;
        });
        return new MemoryStore(
                space,
                () -> SPACES.computeIfPresent(name, (key, old) -> old == space && old.part(client) ? null : old));
    }

    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        var unused = name(url); // refuses one that is wrong
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        return List.of(Finding.of(
                Finding.Severity.NOTE,
                "reach",
                "The locks of memory:" + name(url)
                        + " are known to the process that made them alone, and its tokens start anew with each process.",
                "None needed in tests and for a process by itself; use another store where several take turns."));
    }

    private static String name(String url) {
        String name = url.substring("memory:".length());
        if (name.isEmpty()) {
            throw StoreException.unusable("The URL 'memory:' names no store; write memory:NAME", null);
        }
        return name;
    }
}
