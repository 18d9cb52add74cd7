package io.belay.bench.store;

/** The place of locks that are in the process that takes them: there is no server. */
final class MemoryStore implements StoreServer {
    @Override
    public String version() {
        return "of the same build";
    }

    @Override
    public String url() {
        return "memory:bench";
    }

    @Override
    public void clear() {
        // Nothing outlives the process that has it.
    }

    @Override
    public void close() {
        // Likewise.
    }
}
