package io.belay.internal.machine;

import io.belay.internal.machine.SimSetup.Mishap;
import java.util.Arrays;
import java.util.List;

/**
 * One state of everything: the store, the clients, what is in flight, and the clock. It is changed only while it is being made
 * from the one before it. Its parts are numbers of {@link Values}, and clients that the search keeps once each.
 */
final class SimWorld {
    /** The tokens under which anybody was believed to hold. */
    record Given(List<Long> tokens) {}

    /** A tick in the store's microseconds. */
    static final long MICROS = 1_000_000;

    /** A tick in a client's nanoseconds. */
    static final long NANOS = 1_000_000_000;

    /** The only resource. */
    static final String NAME = "r";

    int tick;
    long mishaps;
    int server;
    /** For how many ticks nobody got anywhere, and which claim stood first then. */
    int standstill;

    int first;
    /** The highest tokens under which anybody, and under which somebody alone, was believed to hold. */
    long highest;

    long highestWhole;
    /** Which {@link Given} these are, where the store forgets. */
    int given;

    /** The largest capacity so far: a smaller one revokes nobody. */
    int room;
    /** Until when the store keeps a claim that was left, as a caller was told. */
    long kept;

    int store;
    /** The state of the store before the last write, where a server may take over that has missed it. */
    int before;

    SimClient[] clients;
    /** A bag: the numbers of the messages, in their order. */
    int[] net;

    SimWorld(int store, SimClient[] clients) {
        this.store = store;
        before = store;
        this.clients = clients;
        net = new int[0];
    }

    SimWorld copy() {
        SimWorld next = new SimWorld(store, clients);
        next.tick = tick;
        next.mishaps = mishaps;
        next.server = server;
        next.standstill = standstill;
        next.first = first;
        next.highest = highest;
        next.highestWhole = highestWhole;
        next.given = given;
        next.room = room;
        next.kept = kept;
        next.before = before;
        next.net = net;
        return next;
    }

    long micros() {
        return (tick + (long) server * SimSetup.SHIFT) * MICROS;
    }

    void set(int i, SimClient client) {
        clients = clients.clone();
        clients[i] = client;
    }

    boolean has(Mishap mishap) {
        return (mishaps >> 4 * mishap.ordinal() & 15) > 0;
    }

    /** Makes the state after a mishap. */
    SimWorld with(Mishap mishap) {
        SimWorld next = copy();
        next.mishaps -= mishap.times(1);
        return next;
    }

    void add(int message) {
        int at = Arrays.binarySearch(net, message);
        at = at < 0 ? -at - 1 : at;
        int[] more = new int[net.length + 1];
        System.arraycopy(net, 0, more, 0, at);
        more[at] = message;
        System.arraycopy(net, at, more, at + 1, net.length - at);
        net = more;
    }

    void remove(int message) {
        int at = Arrays.binarySearch(net, message);
        int[] less = new int[net.length - 1];
        System.arraycopy(net, 0, less, 0, at);
        System.arraycopy(net, at + 1, less, at, less.length - at);
        net = less;
    }

    /** Returns all that tells it from others. */
    long[] row() {
        long[] row = new long[10 + clients.length + net.length];
        row[0] = tick | (long) server << 8 | (long) standstill << 16 | (long) first << 24;
        row[1] = mishaps;
        row[2] = highest;
        row[3] = highestWhole;
        row[4] = room;
        row[5] = kept;
        row[6] = store;
        row[7] = net.length;
        row[8] = before;
        row[9] = given;
        for (int i = 0; i < clients.length; i++) {
            row[10 + i] = clients[i].id;
        }
        for (int i = 0; i < net.length; i++) {
            row[10 + clients.length + i] = net[i];
        }
        return row;
    }
}
