package io.belay.flashsale;

import io.belay.flashsale.load.HttpConnection;
import io.belay.flashsale.load.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests before the first client comes: to a Java VM that has just started, a thousand clients at once would be
 * a second of work before it could answer a page. They sell nothing.
 */
final class WarmUp {
    private static final int REQUESTS = 1_200;
    private static final int ANSWER_MILLIS = 10_000;
    // Never on sale: a sale's name begins with a letter or digit.
    private static final String ORDERS_FOR_NOTHING = "/skus/---/orders";

    private final String statusPath;

    WarmUp(Site site) {
        this.statusPath = site.statusPath();
    }

    void run(List<Server> servers) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Server server : servers) {
            Thread thread = new Thread(() -> ask(server), "warm-up-" + server.name());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void ask(Server server) {
        try (HttpConnection connection = new HttpConnection(server.address(), ANSWER_MILLIS)) {
            for (int i = 0; i < REQUESTS; i++) {
                connection.send("POST", ORDERS_FOR_NOTHING);
                connection.send("GET", statusPath);
            }
        } catch (IOException e) {
            // A node that does not answer shows that soon enough.
        }
    }
}
