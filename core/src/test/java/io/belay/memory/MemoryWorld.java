package io.belay.memory;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
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
        return space.run(request).answer();
    }

    public Store.Snapshot inspect(String resource) {
        return space.inspect(resource);
    }

    /** How many resources are kept, empty ones included. */
    public int size() {
        return space.size();
    }
}
