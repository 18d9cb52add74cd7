package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.spi.Store;
import java.util.concurrent.atomic.AtomicBoolean;

/** The line to a {@link SimulatedServer}. */
final class SimulatedNetwork implements Network {
    private final SimulatedServer server;
    private final AtomicBoolean loseNext = new AtomicBoolean();
    private volatile boolean silent;
    private volatile boolean pushesLost;

    SimulatedNetwork(SimulatedServer server) {
        this.server = server;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public Belay connect(BelayOptions options) {
        return Belay.connect(this::open, options);
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        return server.open(client, listener, this);
    }

    @Override
    public void silence() {
        silent = true;
    }

    @Override
    public void losePushes() {
        pushesLost = true;
    }

    @Override
    public void loseNextAnswer() {
        loseNext.set(true);
    }

    @Override
    public void restore() {
        silent = false;
        pushesLost = false;
        loseNext.set(false);
    }

    boolean isSilent() {
        return silent;
    }

    boolean deliversPushes() {
        return !silent && !pushesLost;
    }

    boolean losesAnswer() {
        return loseNext.compareAndSet(true, false);
    }
}
