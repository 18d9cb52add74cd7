package io.belay.internal.claim;

import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All states seen so far, numbered in the order in which they were found, each with the one that it was reached from.
 * Exact, no fingerprints: every part of a state (the store, a client, a message) is kept once and numbered, and a state
 * is the row of those numbers (Holzmann's collapse compression), some 15 ints.
 */
final class Visited {
    private static final int FIXED = 8;
    private static final Object NONE = new Object();

    private final int clients;
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<Object> parts = new ArrayList<>();
    private int[] rows = new int[1 << 16];
    private int[] starts = new int[1 << 12];
    private int[] parents = new int[1 << 12];
    private int[] table = new int[1 << 13];
    private int size;

    Visited(int clients) {
        this.clients = clients;
        Arrays.fill(table, -1);
    }

    int size() {
        return size;
    }

    int parent(int state) {
        return parents[state];
    }

    /** Adds the state unless it is there; returns whether it was new. */
    boolean add(SimWorld world, int parent) {
        return add(row(world), parent);
    }

    private boolean add(int[] row, int parent) {
        int slot = slot(row);
        if (table[slot] >= 0) {
            return false;
        }
        if (size + 1 == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
            parents = Arrays.copyOf(parents, parents.length * 2);
        }
        int start = starts[size];
        if (start + row.length > rows.length) {
            rows = Arrays.copyOf(rows, rows.length + Math.max(row.length, rows.length / 2));
        }
        System.arraycopy(row, 0, rows, start, row.length);
        parents[size] = parent;
        table[slot] = size++;
        starts[size] = start + row.length;
        if (size > table.length / 2) {
            rehash();
        }
        return true;
    }

    /** The number of a state that was added. */
    int find(SimWorld world) {
        return table[slot(row(world))];
    }

    private int slot(int[] row) {
        int mask = table.length - 1;
        int slot = spread(Arrays.hashCode(row)) & mask;
        while (table[slot] >= 0 && !isAt(table[slot], row)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isAt(int state, int[] row) {
        return Arrays.equals(rows, starts[state], starts[state + 1], row, 0, row.length);
    }

    private static int spread(int hash) {
        int h = hash * 0x9E3779B9;
        return h ^ (h >>> 15);
    }

    private void rehash() {
        table = new int[table.length * 2];
        Arrays.fill(table, -1);
        for (int i = 0; i < size; i++) {
            table[slot(Arrays.copyOfRange(rows, starts[i], starts[i + 1]))] = i;
        }
    }

    private int number(@Nullable Object part) {
        Object key = part == null ? NONE : part;
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        parts.add(key);
        numbers.put(key, parts.size() - 1);
        return parts.size() - 1;
    }

    private int[] row(SimWorld w) {
        int[] row = new int[FIXED + clients + w.net.size()];
        row[0] = w.tick | w.duplicates << 8 | w.losses << 12 | w.crashes << 16 | w.pauses << 20 | w.resizes << 24;
        row[1] = w.standstill | w.failovers << 8 | w.server << 12;
        row[2] = number(w.first);
        row[3] = number(w.highest);
        row[4] = number(w.highestWhole);
        row[5] = number(w.store);
        row[6] = w.room;
        row[7] = number(w.kept);
        for (int i = 0; i < clients; i++) {
            row[FIXED + i] = number(w.clients[i]);
        }
        int at = FIXED + clients;
        for (SimMessage message : w.net) {
            row[at++] = number(message);
        }
        Arrays.sort(row, FIXED + clients, row.length);
        return row;
    }

    SimWorld get(int state) {
        int start = starts[state];
        int fixedEnd = start + FIXED + clients;
        SimClient[] who = new SimClient[clients];
        for (int i = 0; i < clients; i++) {
            who[i] = (SimClient) parts.get(rows[start + FIXED + i]);
        }
        List<SimMessage> net = new ArrayList<>();
        for (int i = fixedEnd; i < starts[state + 1]; i++) {
            net.add((SimMessage) parts.get(rows[i]));
        }
        SimWorld w = new SimWorld((Resource) parts.get(rows[start + 5]), who, net);
        int first = rows[start];
        w.tick = first & 0xff;
        w.duplicates = first >> 8 & 0xf;
        w.losses = first >> 12 & 0xf;
        w.crashes = first >> 16 & 0xf;
        w.pauses = first >> 20 & 0xf;
        w.resizes = first >> 24 & 0xf;
        w.standstill = rows[start + 1] & 0xff;
        w.failovers = rows[start + 1] >> 8 & 0xf;
        w.server = rows[start + 1] >> 12;
        w.first = parts.get(rows[start + 2]) instanceof ClaimId id ? id : null;
        w.highest = (Long) parts.get(rows[start + 3]);
        w.highestWhole = (Long) parts.get(rows[start + 4]);
        w.room = rows[start + 6];
        w.kept = (Long) parts.get(rows[start + 7]);
        return w;
    }
}
