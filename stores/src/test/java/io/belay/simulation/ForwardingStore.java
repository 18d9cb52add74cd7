package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store that passes everything on to another one; whoever wants to see what is asked overrides what they look at. */
abstract class ForwardingStore implements Store {
    final Store store;

    ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Duration slice() {
        return store.slice();
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return store.send(request);
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        return store.renew(renewals);
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return store.inspect(resource);
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return store.names(prefix, cursor);
    }

    @Override
    public void close() {
        store.close();
    }
}
