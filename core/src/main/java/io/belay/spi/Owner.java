package io.belay.spi;

import java.util.Objects;

/**
 * What a client tells of a claim of its own, for {@code inspect} and for messages; it plays no part in decisions.
 *
 * @param client the client's name, as its options give it
 * @param host the host that it runs on
 * @param process its process id
 * @param thread the thread that entered the claim, or that has the lock now
 * @param behalf on whose behalf that is, as the user has named it; empty if it is not named
 * @param since from when on the thread has had the lock, in the store's microseconds; 0 if that was not told
 * @param lease the lease with which the claim is renewed, in microseconds; 0 if it is not, or if that was not told
 */
public record Owner(String client, String host, long process, String thread, String behalf, long since, long lease) {
    /** The most characters that are kept of each text; a longer one is cut. */
    public static final int MAX_TEXT = 64;

    /** Cuts every text to {@link #MAX_TEXT} characters. */
    public Owner {
        client = cut(Objects.requireNonNull(client, "client"));
        host = cut(Objects.requireNonNull(host, "host"));
        thread = cut(Objects.requireNonNull(thread, "thread"));
        behalf = cut(Objects.requireNonNull(behalf, "behalf"));
    }

    /** Makes an owner of whom no more is known. */
    public Owner(String client, String host, long process, String thread) {
        this(client, host, process, thread, "", 0, 0);
    }

    /** Returns the same client, with another thread, and on whose behalf that thread asks; empty if nobody's. */
    public Owner withThread(String thread, String behalf) {
        return new Owner(client, host, process, thread, behalf, since, lease);
    }

    /** Returns the same owner, with the time from which on it has had the lock. */
    public Owner withSince(long time) {
        return new Owner(client, host, process, thread, behalf, time, lease);
    }

    /** Returns the same owner, with the lease of its claim. */
    public Owner withLease(long micros) {
        return new Owner(client, host, process, thread, behalf, since, micros);
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    @Override
    public String toString() {
        return client + " (process " + process + " on " + host + ", thread " + thread
                + (behalf.isEmpty() ? "" : ", for " + behalf) + ")";
    }
}
