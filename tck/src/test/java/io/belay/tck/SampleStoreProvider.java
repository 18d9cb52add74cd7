package io.belay.tck;

import io.belay.document.DocumentStore;
import io.belay.document.Documents;
import io.belay.node.NodeStore;
import io.belay.node.Nodes;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens {@code sample-documents://127.0.0.1:PORT/FLAW} and {@code sample-nodes://127.0.0.1:PORT/FLAW}. */
public final class SampleStoreProvider implements StoreProvider {
    static final String DOCUMENTS = "sample-documents";
    static final String NODES = "sample-nodes";

    /** What a process keeps to itself where it should have asked, by the port that it should have asked at. */
    private static final Map<Integer, SampleDatabase> OWN = new ConcurrentHashMap<>();

    @Override
    public Set<String> schemes() {
        return Set.of(DOCUMENTS, NODES);
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        return url.startsWith(DOCUMENTS)
                ? new DocumentStore("sample", documents(url), client, listener)
                : new NodeStore("sample", nodes(url), listener);
    }

    static Documents documents(String url) {
        return new SampleDocuments(URI.create(url).getPort(), flaw(url));
    }

    static Nodes nodes(String url) {
        int port = URI.create(url).getPort();
        boolean own = flaw(url) == Flaw.KNOWN_IN_ONE_PROCESS;
        return new SampleNodes(
                own ? OWN.computeIfAbsent(port, known -> database()).port() : port, flaw(url));
    }

    private static SampleDatabase database() {
        try {
            return new SampleDatabase();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Flaw flaw(String url) {
        return Flaw.valueOf(URI.create(url).getPath().substring(1));
    }
}
