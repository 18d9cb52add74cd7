package io.belay.dashboard;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A sale by three nodes of a shop, each with some threads that sell one unit after the other; a nightly job; a deadlock, if one is wanted. */
final class StagedSale implements AutoCloseable {
    private static final int NODES = 3;
    private static final int THREADS = 5;
    private static final long WORK_MILLIS = 150;

    private final List<Belay> clients = new ArrayList<>();
    private final TestThreads threads = new TestThreads();
    private final AtomicInteger orders = new AtomicInteger();

    StagedSale(String store, boolean deadlock) {
        for (int node = 1; node <= NODES; node++) {
            Belay client = client(store, "node-" + node);
            for (int i = 1; i <= THREADS; i++) {
                String name = i == THREADS ? "stock:gift" : "stock:item";
                threads.start("http-exec-" + i, () -> sell(client, name));
            }
        }
        Belay nightly = client(store, "nightly");
        threads.start("main", () -> {
            nightly.lock("job:report").acquire();
            Thread.sleep(Long.MAX_VALUE);
        });
        if (deadlock) {
            CountDownLatch both = new CountDownLatch(2);
            deadlock(client(store, "billing"), "transfer-1", "account:4", "account:17", both);
            deadlock(client(store, "ledger"), "transfer-2", "account:17", "account:4", both);
        }
    }

    private Belay client(String store, String name) {
        Belay client = Belay.connect(store, BelayOptions.defaults().withClientName(name));
        clients.add(client);
        return client;
    }

    private void sell(Belay client, String name) throws InterruptedException {
        while (true) {
            String order = "order " + orders.incrementAndGet();
            try (Lease lease = client.onBehalfOf(order).lock(name).acquire()) {
                Thread.sleep(lease.isHeld() ? WORK_MILLIS : 0);
            }
        }
    }

    private void deadlock(Belay client, String thread, String first, String second, CountDownLatch both) {
        threads.start(thread, () -> {
            client.lock(first).acquire();
            both.countDown();
            both.await();
            client.lock(second).acquire();
        });
    }

    boolean isGoingOn() {
        return threads.areAlive();
    }

    @Override
    public void close() throws InterruptedException {
        threads.close();
        clients.forEach(Belay::close);
    }
}
