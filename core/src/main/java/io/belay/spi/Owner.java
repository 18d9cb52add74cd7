package io.belay.spi;

import java.util.Objects;

/** What a client tells of a claim of its own, for {@code inspect} and for messages; it plays no part in decisions. */
public sealed interface Owner permits OwnerValue {
    /** The most characters that are kept of each text; a longer one is cut. */
    int MAX_TEXT = 64;

    /** The character before a note. */
    char NOTE = '\u001f';

    /** Makes an owner of whom no more is known. Every text is cut to {@link #MAX_TEXT} characters. */
    static Owner of(String client, String host, long process, String thread) {
        return new OwnerValue(client, host, process, thread, "", 0, 0);
    }

    /** Returns the client's name, as its options give it. */
    String client();

    /** Returns the host that it runs on. */
    String host();

    /** Returns its process id. */
    long process();

    /** Returns the thread that entered the claim, or that has the lock now. */
    String thread();

    /**
     * Returns on whose behalf that is, as the user has named it; empty if it is not named. A client's {@link #note} stands in the same
     * text, behind a control character, so that a store keeps it without knowing of it: it is 255 bytes of UTF-8 at most.
     */
    String behalf();

    /** Returns on whose behalf that is, without the note. */
    default String namedBehalf() {
        int end = behalf().indexOf(NOTE);
        return end < 0 ? behalf() : behalf().substring(0, end);
    }

    /** Returns what the client has noted for other clients; empty if nothing. */
    default String note() {
        int end = behalf().indexOf(NOTE);
        return end < 0 ? "" : behalf().substring(end + 1);
    }

    /**
     * Returns the same owner with another note, or none if it is empty. On whose behalf that is gives way if both have no room; a note
     * that has none by itself is left out.
     */
    default Owner withNote(String note) {
        return withThread(thread(), OwnerValue.noted(namedBehalf(), Objects.requireNonNull(note, "note")));
    }

    /** Returns from when on the thread has had the lock, in the store's microseconds; 0 if that was not told. */
    long since();

    /**
     * Returns the lease with which the claim is renewed, in microseconds; 0 if it is not, or if that was not told.
     */
    long lease();

    /** Returns the same client, with another thread, and on whose behalf that thread asks; empty if nobody's. */
    Owner withThread(String thread, String behalf);

    /** Returns the same owner, with the time from which on it has had the lock. */
    Owner withSince(long time);

    /** Returns the same owner, with the lease of its claim. */
    Owner withLease(long micros);
}
