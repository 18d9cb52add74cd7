package io.belay.flashsale.load;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;

/** A server under load, and what it answered. Thread-safe. */
public final class Server {
    private final String name;
    private final InetSocketAddress address;
    private final LongAdder sold = new LongAdder();
    private volatile boolean gone;
    private volatile long lastSale = System.nanoTime();

    public Server(String name, InetSocketAddress address) {
        this.name = name;
        this.address = address;
    }

    /** Returns the server's name in the report. */
    public String name() {
        return name;
    }

    /** Returns the address that the server listens on. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns how many orders clients saw the server take. */
    public long sold() {
        return sold.sum();
    }

    /** Returns when the server was last seen to take an order, or made if it took none, by {@link System#nanoTime}. */
    public long lastSale() {
        return lastSale;
    }

    /** Leaves the server out from now on. */
    public void markGone() {
        gone = true;
    }

    /** Returns whether the server is left out. */
    public boolean isGone() {
        return gone;
    }

    void countSale() {
        sold.increment();
        lastSale = System.nanoTime();
    }
}
