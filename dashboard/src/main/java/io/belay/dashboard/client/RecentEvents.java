package io.belay.dashboard.client;

import io.belay.support.Mutex;
import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The last things that one client has told, twenty of each kind. Thread-safe. */
public final class RecentEvents {
    private static final int KEPT = 20;

    /** What there is to tell. */
    public enum Kind {
        /** A lease was lost. */
        LOSS,
        /** The store began to fail. */
        OUTAGE,
        /** A request took long. */
        SLOW
    }

    /**
     * What has happened.
     *
     * @param atMillis when, in milliseconds since 1970
     * @param lock the lock; empty where it is about the store
     * @param what the kind of request, or of loss
     * @param why the reason in words; empty where there is none
     * @param lastedMillis for how long; negative while it goes on, or where that says nothing
     */
    public record Entry(long atMillis, String lock, String what, String why, long lastedMillis) {
        /** Keeps a line of each reason, without passwords. */
        public Entry {
            why = OneLine.of(UrlPasswords.mask(why));
        }
    }

    private final String instance = UUID.randomUUID().toString();
    private final Mutex lock = new Mutex();

    // By the lock; the newest last.
    private final Map<Kind, List<Entry>> entries = new EnumMap<>(Kind.class);

    /** The duration of an outage whose end was told before its beginning; negative if there is none. By the lock. */
    private long endedMillis = -1;

    private String client = "";

    /** Sets the name of the client that tells. */
    public void nameClient(String name) {
        try (var held = lock.hold()) {
            client = name;
        }
    }

    String client() {
        try (var held = lock.hold()) {
            return client;
        }
    }

    /** Returns what tells this from what a later start of the same application tells. */
    String instance() {
        return instance;
    }

    /** Adds an entry. */
    public void add(Kind kind, Entry entry) {
        try (var held = lock.hold()) {
            List<Entry> kept = entries.computeIfAbsent(kind, first -> new ArrayList<>());
            kept.add(entry);
            if (kind == Kind.OUTAGE && endedMillis >= 0) {
                endNewest(kept, endedMillis);
                endedMillis = -1;
            }
            if (kept.size() > KEPT) {
                kept.remove(0);
            }
        }
    }

    /** Ends the newest outage that goes on; if none does, the one that is added next, as a client tells both in no order. */
    public void back(long lastedMillis) {
        try (var held = lock.hold()) {
            if (!endNewest(entries.getOrDefault(Kind.OUTAGE, List.of()), lastedMillis)) {
                endedMillis = lastedMillis;
            }
        }
    }

    private static boolean endNewest(List<Entry> outages, long lastedMillis) {
        for (int i = outages.size() - 1; i >= 0; i--) {
            Entry one = outages.get(i);
            if (one.lastedMillis() < 0) {
                outages.set(i, new Entry(one.atMillis(), one.lock(), one.what(), one.why(), lastedMillis));
                return true;
            }
        }
        return false;
    }

    /** Returns the entries of a kind, the newest first. */
    List<Entry> newest(Kind kind) {
        try (var held = lock.hold()) {
            List<Entry> newest = new ArrayList<>(entries.getOrDefault(kind, List.of()));
            Collections.reverse(newest);
            return newest;
        }
    }
}
