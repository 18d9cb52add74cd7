package io.belay.spi;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The record behind who a claim is of; only this package makes one. */
record OwnerValue(String client, String host, long process, String thread, String behalf, long since, long lease)
        implements Owner {
    private static final int MAX_BYTES = 255;

    OwnerValue {
        client = Objects.requireNonNull(client, "client").length() <= MAX_TEXT ? client : cut(client);
        host = Objects.requireNonNull(host, "host").length() <= MAX_TEXT ? host : cut(host);
        thread = Objects.requireNonNull(thread, "thread").length() <= MAX_TEXT ? thread : cut(thread);
        boolean fits = Objects.requireNonNull(behalf, "behalf").length() <= MAX_TEXT;
        behalf = fits || (behalf.indexOf(NOTE) >= 0 && bytes(behalf) <= MAX_BYTES) ? behalf : cut(behalf);
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
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
    }

    @Override
    public Owner withThread(String itsThread, String itsBehalf) {
        return new OwnerValue(client, host, process, itsThread, itsBehalf, since, lease);
    }

    @Override
    public Owner withSince(long time) {
        return new OwnerValue(client, host, process, thread, behalf, time, lease);
    }

    @Override
    public Owner withLease(long micros) {
        return new OwnerValue(client, host, process, thread, behalf, since, micros);
    }

    @Override
    public String toString() {
        return client + " (process " + process + " on " + host + ", thread " + thread
                + (namedBehalf().isEmpty() ? "" : ", for " + namedBehalf()) + ")";
    }
}
