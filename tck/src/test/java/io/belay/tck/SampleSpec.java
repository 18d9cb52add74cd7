package io.belay.tck;

import io.belay.document.Documents;
import io.belay.node.Nodes;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A {@link SampleDatabase} of a test's own, and a store on it, with or without a mistake. */
final class SampleSpec implements StoreSpec {
    private final SampleDatabase database = new SampleDatabase();
    private final String scheme;
    private final Flaw flaw;

    SampleSpec(String scheme, Flaw flaw) throws IOException {
        this.scheme = scheme;
        this.flaw = flaw;
    }

    @Override
    public String url() {
        return scheme + "://127.0.0.1:" + database.port() + "/" + flaw;
    }

    private boolean hasNodes() {
        return scheme.equals(SampleStoreProvider.NODES);
    }

    @Override
    public Optional<Documents> documents() {
        return hasNodes() ? Optional.empty() : Optional.of(SampleStoreProvider.documents(url()));
    }

    @Override
    public Optional<Nodes> nodes() {
        return hasNodes() ? Optional.of(SampleStoreProvider.nodes(url())) : Optional.empty();
    }

    /** Each looks by itself at what others do. */
    @Override
    public boolean actsUnasked() {
        return true;
    }

    @Override
    public boolean keepsDeadlines() {
        return !hasNodes();
    }

    @Override
    public boolean passesOverTheSilent() {
        return !hasNodes();
    }

    @Override
    public boolean sweeps() {
        return !hasNodes();
    }

    @Override
    public Duration patience() {
        return flaw == Flaw.NONE ? Duration.ofSeconds(20) : Duration.ofSeconds(5);
    }

    @Override
    public void close() {
        database.close();
    }
}
