package io.belay.micrometer;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The store in memory, behind a line that the test breaks. */
final class BreakableStore implements StoreOpener {
    private final String url;
    volatile boolean broken;

    BreakableStore(String url) {
        this.url = url;
    }

    private static StoreProvider memory() {
        BreakableStore.class.getModule().addUses(StoreProvider.class);
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains("memory"))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        return new Line(memory().open(url, client, listener));
    }

    private final class Line implements Store {
        private final Store store;

        Line(Store store) {
            this.store = store;
        }

        private <T> CompletionStage<T> failed() {
            return CompletableFuture.failedStage(StoreException.unreachable("broken by the test", null));
        }

        @Override
        public Capabilities capabilities() {
            return store.capabilities();
        }

        @Override
        public CompletionStage<Answer> send(Request request) {
            return broken ? failed() : store.send(request);
        }

        @Override
        public CompletionStage<Snapshot> inspect(String resource) {
            return broken ? failed() : store.inspect(resource);
        }

        @Override
        public CompletionStage<NamePage> names(String prefix, String cursor) {
            return broken ? failed() : store.names(prefix, cursor);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
