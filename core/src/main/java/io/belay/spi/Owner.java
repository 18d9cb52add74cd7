package io.belay.spi;

import java.util.Objects;

/**
 * The client and thread that entered a claim, for {@code inspect} and for messages; they play no part in decisions.
 *
 * @param client the client's name, as its options give it
 * @param host the host that it runs on
 * @param process its process id
 * @param thread the thread that entered the claim
 */
public record Owner(String client, String host, long process, String thread) {
    /** The most characters that are kept of each text; a longer one is cut. */
    public static final int MAX_TEXT = 64;

    /** Cuts every text to {@link #MAX_TEXT} characters. */
    public Owner {
        client = cut(Objects.requireNonNull(client, "client"));
        host = cut(Objects.requireNonNull(host, "host"));
        thread = cut(Objects.requireNonNull(thread, "thread"));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    @Override
    public String toString() {
        return client + " (process " + process + " on " + host + ", thread " + thread + ")";
    }
}
