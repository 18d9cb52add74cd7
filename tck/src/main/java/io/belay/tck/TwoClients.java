package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two clients of a real store, and what tests do with them. */
public abstract class TwoClients {
    /** In seconds. */
    static final int SOON = 20;

    /** Long enough for whoever could have gone on to have done so. */
    private static final Duration A_WHILE = Duration.ofMillis(100);

    Belay a;
    Belay b;

    /** The URL of a store that this test has to itself. */
    protected abstract String url();

    /** The store is not needed any more. */
    protected void stop() {}

    @BeforeEach
    void connect() {
        a = Belay.connect(url(), BelayOptions.defaults().withClientName("a"));
        b = Belay.connect(url(), BelayOptions.defaults().withClientName("b"));
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        stop();
    }

    static Lease soon(CompletableFuture<Lease> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(SOON, TimeUnit.SECONDS);
    }

    static void staysUndone(CompletableFuture<?> future) throws InterruptedException {
        Thread.sleep(A_WHILE.toMillis());
        assertThat(future).isNotDone();
    }

    /** All at once, each on a thread of its own. */
    static void together(List<Callable<Void>> all) throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (Future<Void> one : all.stream().map(pool::submit).toList()) {
                one.get(SOON, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    static void giveBack(Lease lease) {
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }
}
