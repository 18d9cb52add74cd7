package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.spi.Push;
import io.belay.spi.Store;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a store's threads have of the one that connects: it may be that of a request, and they live as long as the client. */
class WorkerThreadTest {
    @Test
    void isTheClassLoaderAlone() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader callers = new URLClassLoader(new URL[0], before);
        CompletableFuture<String> seen = new CompletableFuture<>();
        MapDocuments documents = new MapDocuments();
        documents.beforeConnecting =
                () -> seen.complete(tenant.get() + " " + (Thread.currentThread().getContextClassLoader() == callers));
        Store.Listener listener = new Store.Listener() {
            @Override
            public void pushed(Push push) {}

            @Override
            public void reconnected() {}
        };
        tenant.set("a tenant's");
        Thread.currentThread().setContextClassLoader(callers);
        try (Store store = new DocumentStore("worker-thread-test", documents, 1, listener)) {
            store.inspect("x");
            assertThat(seen.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("null true");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
