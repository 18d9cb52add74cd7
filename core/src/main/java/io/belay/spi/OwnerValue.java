package io.belay.spi;

import io.belay.support.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The record behind who a claim is of; only this package makes one. */
record OwnerValue(String client, String host, long process, String thread, String behalf, long since, long lease)
        implements Owner {
    private static final int MAX_BYTES = 255;

    OwnerValue {
        client = cut(OneLine.printable(Objects.requireNonNull(client, "client")));
        host = cut(OneLine.printable(Objects.requireNonNull(host, "host")));
        thread = cut(OneLine.printable(Objects.requireNonNull(thread, "thread")));
        int note = Objects.requireNonNull(behalf, "behalf").indexOf(NOTE);
        behalf = note < 0
                ? OneLine.printable(behalf)
                : OneLine.printable(behalf.substring(0, note)) + behalf.substring(note);
        behalf = note >= 0 && bytes(behalf) <= MAX_BYTES ? behalf : cut(behalf);
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
