package io.belay.flashsale.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A load of a fixed number of orders, placed by a fixed number of clients, spread over the servers in turn. */
public final class Load implements AutoCloseable {
    private static final long STACK_BYTES = 256 * 1024;

    private final List<Server> servers;
    private final String path;
    private final int orders;
    private final Duration longestAnswer;
    private final Tally tally;
    private final AtomicInteger nextOrder = new AtomicInteger();
    private final AtomicInteger nextServer = new AtomicInteger();
    private final List<Thread> clients = new ArrayList<>();
    private final CountDownLatch running;
    private volatile boolean stopped;

    /**
     * Starts the load.
     *
     * @param servers the servers that take orders
     * @param path the path of an order, up to the buyer's name
     * @param orders how many orders there are
     * @param target how many orders the servers are to take
     * @param clients how many clients order at once
     * @param longestAnswer for how long a client waits for an answer
     */
    public Load(List<Server> servers, String path, int orders, int target, int clients, Duration longestAnswer) {
        this.servers = List.copyOf(servers);
        this.path = path;
        this.orders = orders;
        this.tally = new Tally(target, System::nanoTime);
        this.longestAnswer = longestAnswer;
        this.running = new CountDownLatch(clients);
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(null, new LoadClient(this), "client-" + i, STACK_BYTES);
            thread.setDaemon(true);
            this.clients.add(thread);
        }
        this.clients.forEach(Thread::start);
    }

    /** Returns what the clients have seen so far. */
    public Tally tally() {
        return tally;
    }

    /** Waits for the end of all orders, for so many milliseconds at most; returns whether it came. */
    public boolean await(long millis) throws InterruptedException {
        return running.await(millis, TimeUnit.MILLISECONDS);
    }

    boolean stopped() {
        return stopped;
    }

    /** Returns the number of the next order; empty if there are no more. */
    Optional<Integer> takeOrder() {
        int number = nextOrder.getAndIncrement();
        return number < orders ? Optional.of(number) : Optional.empty();
    }

    /** Returns the next server in turn of those that are left; empty if none is. */
    Optional<Server> nextServer() {
        List<Server> left = servers.stream().filter(server -> !server.isGone()).toList();
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of(left.get(Math.floorMod(nextServer.getAndIncrement(), left.size())));
    }

    String path(int order) {
        return path + "?buyer=buyer-" + order;
    }

    Duration longestAnswer() {
        return longestAnswer;
    }

    void ended() {
        running.countDown();
    }

    /** Gives up the orders that are under way. */
    @Override
    public void close() {
        stopped = true;
        // Those who wait for an answer are left to themselves: they are daemons.
        clients.forEach(Thread::interrupt);
    }
}
