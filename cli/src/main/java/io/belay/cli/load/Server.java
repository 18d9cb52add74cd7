package io.belay.cli.load;

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

    /** Its name in the report. */
    public String name() {
        return name;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** How many orders it was seen to take. */
    public long sold() {
        return sold.sum();
    }

    /** When it was last seen to take one. */
    public long lastSale() {
        return lastSale;
    }

    /** Leaves it out from now on. */
    public void markGone() {
        gone = true;
    }

    /** Whether it is left out. */
    public boolean isGone() {
        return gone;
    }

    void countSale() {
        sold.increment();
        lastSale = System.nanoTime();
    }
}
