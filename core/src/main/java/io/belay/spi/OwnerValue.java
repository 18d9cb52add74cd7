package io.belay.spi;

import java.util.Objects;

/** The record behind who a claim is of; only this package makes one. */
record OwnerValue(String client, String host, long process, String thread, String behalf, long since, long lease)
        implements Owner {
    OwnerValue {
        client = cut(Objects.requireNonNull(client, "client"));
        host = cut(Objects.requireNonNull(host, "host"));
        thread = cut(Objects.requireNonNull(thread, "thread"));
        behalf = cut(Objects.requireNonNull(behalf, "behalf"));
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
