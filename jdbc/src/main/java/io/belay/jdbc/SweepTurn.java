package io.belay.jdbc;

import io.belay.document.Documents;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The turn to delete what may be forgotten, which one session of one client has at a time: a row that is no lock's,
 * whose version is the time until which the turn is taken. Whoever has the turn takes it again before each step; a
 * minute after the last one it is free.
 */
final class SweepTurn {
    private static final long LENGTH = TimeUnit.MINUTES.toMicros(1);

    /** The longest that what was read is relied on, in microseconds. */
    private static final long TRUST = TimeUnit.SECONDS.toMicros(10);

    private long own;

    /** Takes the turn, or keeps it; returns whether this session has it. */
    boolean take(Documents.Session session) {
        Documents.Reading reading = session.read(List.of(JdbcDocuments.NOBODYS));
        Documents.Found row = reading.found().get(JdbcDocuments.NOBODYS);
        long taken = row == null ? 0 : row.version();
        long now = reading.time();
        // One that is farther away was taken before the clock went back.
        if (taken != own && taken > now && taken <= now + LENGTH) {
            return false;
        }
        long until = now + LENGTH == taken ? taken + 1 : now + LENGTH;
        Documents.Change change = new Documents.Change(JdbcDocuments.NOBODYS, taken, until, new byte[0], until);
        if (session.write(List.of(change), now + TRUST).isEmpty()) {
            return false;
        }
        own = until;
        return true;
    }
}
