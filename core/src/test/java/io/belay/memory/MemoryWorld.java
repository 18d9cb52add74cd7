package io.belay.memory;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The memory store's insides for tests of other packages: with a clock of their own, and open to faults. */
public final class MemoryWorld {
    private final MemorySpace space;

    public MemoryWorld(LongSupplier clock) {
        space = new MemorySpace(clock);
    }

    public void join(long client, Store.Listener listener) {
        space.join(client, listener);
    }

    public Answer run(Request request) {
        return space.run(request, true);
    }

    public Store.Snapshot inspect(String resource) {
        return space.inspect(resource);
    }

    /** Reads a page of two names, of which the last one comes again in the next page. */
    public Store.NamePage names(String prefix, String cursor) {
        List<String> all = space.names(prefix).names().stream().sorted().toList();
        int from = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
        int to = Math.min(all.size(), from + 2);
        Optional<String> next =
                to == all.size() ? Optional.empty() : Optional.of(Integer.toString(Math.max(from + 1, to - 1)));
        return Store.NamePage.of(all.subList(from, to), next);
    }

    /** Has a resource stand as it stood before, as where another server takes over that has missed what came since. */
    @SuppressWarnings("unchecked")
    public void goBack(String resource, Resource before) throws ReflectiveOperationException {
        Field resources = MemorySpace.class.getDeclaredField("resources");
        resources.setAccessible(true);
        ((Map<String, Resource>) resources.get(space)).put(resource, before);
    }

    /** How many empty resources are looked at once more when they may be forgotten. */
    public int queued() {
        return space.queued.size();
    }

    /** How many resources are kept, empty ones included. */
    public int size() {
        return space.size();
    }
}
