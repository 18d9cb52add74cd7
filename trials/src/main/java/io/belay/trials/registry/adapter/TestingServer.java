package io.belay.trials.registry.adapter;

/** Curator's server, of which the test that stops one has no use here. */
public final class TestingServer implements AutoCloseable {
    public TestingServer() {
        throw new UnsupportedOperationException("there is no ZooKeeper to stop");
    }

    public String getConnectString() {
        return "";
    }

    public void stop() {}

    public void restart() {}

    @Override
    public void close() {}
}
