package io.belay.flashsale.load;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A client that places one order after the other, each until its end is known. */
final class LoadClient implements Runnable {
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;
    private static final int MOST_REFUSALS = 60;
    private static final int MOST_FAILED_SENDS = 200;
    private static final long AFTER_FAILED_SEND_MILLIS = 50;
    private static final int LONGEST_RETRY_AFTER_SECONDS = 5;

    private final Load load;
    private final Tally tally;
    private final Map<Server, HttpConnection> connections = new HashMap<>();

    LoadClient(Load load) {
        this.load = load;
        this.tally = load.tally();
    }

    @Override
    public void run() {
        try {
            for (Optional<Integer> order = load.takeOrder(); order.isPresent(); order = load.takeOrder()) {
                place(order.get());
            }
        } catch (InterruptedException e) {
            // The load was given up.
        } finally {
            connections.values().forEach(HttpConnection::close);
            load.ended();
        }
    }

    /**
     * Places an order. It is sent again only if it was certainly not taken: it did not reach the server, or the server
     * says so by 503. An order that was sent and not answered counts as unknown.
     */
    private void place(int order) throws InterruptedException {
        long begun = System.nanoTime();
        int refusals = 0;
        int failedSends = 0;
        while (!load.stopped()) {
            Optional<Server> server = load.nextServer();
            if (server.isEmpty() || refusals == MOST_REFUSALS || failedSends == MOST_FAILED_SENDS) {
                tally.countFailed();
                return;
            }
            try {
                HttpAnswer answer = connection(server.get()).send("POST", load.path(order));
                if (answer.status() != UNAVAILABLE) {
                    end(server.get(), answer.status(), System.nanoTime() - begun);
                    return;
                }
                refusals++;
                tally.countRetry();
                Thread.sleep(1_000L * Math.min(answer.retryAfterSeconds(), LONGEST_RETRY_AFTER_SECONDS));
            } catch (NotSentException e) {
                failedSends++;
                tally.countRetry();
                Thread.sleep(AFTER_FAILED_SEND_MILLIS);
            } catch (IOException e) {
                tally.countUnknown();
                return;
            }
        }
    }

    private void end(Server server, int status, long nanos) {
        if (status == CREATED) {
            server.countSale();
            tally.countSold(nanos);
        } else if (status == CONFLICT) {
            tally.countSoldOut(nanos);
        } else {
            tally.countFailed();
        }
    }

    private HttpConnection connection(Server server) {
        return connections.computeIfAbsent(
                server,
                s -> new HttpConnection(
                        s.address(), (int) Math.min(load.longestAnswer().toMillis(), Integer.MAX_VALUE)));
    }
}
