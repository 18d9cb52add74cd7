package io.belay.spi;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The record behind who a claim is of; only this package makes one. */
record OwnerValue(String client, String host, long process, String thread, String behalf, long since, long lease)
        implements Owner {
    private static final int MAX_BYTES = 255;

    OwnerValue {
        client = cut(Objects.requireNonNull(client, "client"));
        host = cut(Objects.requireNonNull(host, "host"));
        thread = cut(Objects.requireNonNull(thread, "thread"));
        boolean noted = Objects.requireNonNull(behalf, "behalf").indexOf(NOTE) >= 0 && bytes(behalf) <= MAX_BYTES;
        behalf = noted ? behalf : cut(behalf);
    }

    static String noted(String behalf, String note) {
        int left = MAX_BYTES - 1 - bytes(note);
        if (note.isEmpty() || left < 0) {
            return behalf;
        }
        return (bytes(behalf) <= left ? behalf : "") + NOTE + note;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    @Override
    public String toString() {
        return client + " (process " + process + " on " + host + ", thread " + thread
                + (namedBehalf().isEmpty() ? "" : ", for " + namedBehalf()) + ")";
    }
}
