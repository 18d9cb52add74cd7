package io.belay.trials.history;

import java.util.Optional;

/**
 * A line of a history. All times are {@link System#nanoTime()}, which the processes of a machine share.
 *
 * @param nanos when it happened; what begins is stamped before it, what has ended after it
 * @param process who: {@code client.run}, as a client is started again after it was killed
 * @param thread which of its threads
 * @param type what happened
 * @param hold the attempt to acquire, its hold and all that is done under it; unique in its process
 * @param name the lock's name
 * @param weight how much of the lock is asked for
 * @param capacity how much of it there is
 * @param token the fencing token; -1 where there is none
 * @param value what the type says, else 0
 */
public record Event(
        long nanos,
        String process,
        int thread,
        Type type,
        long hold,
        String name,
        int weight,
        int capacity,
        long token,
        long value) {
    /** The kinds of events. */
    public enum Type {
        /** A thread begins to ask for the lock. */
        ASK,
        /** The store lists the claim among those that wait, or hold. */
        QUEUED,
        /**
         * A thread has the lock; the value is until when, in nanoseconds, {@link Long#MAX_VALUE} if no end is known.
         */
        GRANTED,
        /** A thread did not get the lock. */
        REFUSED,
        /** The outcome of an attempt is unknown: the thread may have got the lock. */
        UNKNOWN,
        /** The library said at this time that the lock is held; the value is until when. */
        HELD,
        /**
         * The end of the lease is moved; the value is until when it lasts now. An earlier end is stamped before it is asked
         * for, a later one after the answer, so that what is between counts as not held.
         */
        MOVED,
        /** The library said at this time that the lock is not held. */
        NOT_HELD,
        /** The library told of the loss. */
        LOST,
        /** A thread begins to release the lock. */
        RELEASE,
        /** The library says that the lock was released. */
        RELEASED,
        /** The library says that nobody has the lock for a while after the release; the value is until when. */
        KEPT,
        /** The library says that the lock had been lost before. */
        RELEASED_LATE,
        /** The outcome of a release is unknown: the lock may have been lost before. */
        RELEASE_UNKNOWN,
        /** A thread begins to write this value without a guard. */
        WRITE,
        /** The write without a guard is done. */
        WRITTEN,
        /** A thread begins to change the guarded store. */
        GUARDED_WRITE,
        /** The guarded store has accepted this value. */
        GUARDED_WRITTEN,
        /** The guarded store has refused the token. */
        GUARDED_REFUSED,
        /** Something was thrown that is not to be; the name is that of its class, or tells the exit code of a process that failed. */
        DEFECT,
        /** A lock was refused as its token is below one that was seen before; the name is the exception's class. */
        WENT_BACK,
        /** A thread did not end when it was told to; the name is "close" where it is the end of the process itself. */
        STUCK,
        /** The process did not run since the value: a thread that only sleeps was to be woken then, and was not. */
        STALL,
        /** A process is being stopped; the parent writes this, and all that follow. */
        PAUSE,
        /** A process goes on. */
        RESUME,
        /** A process is being killed. */
        KILL,
        /** A process was started. */
        START,
        /** A strike at the store or the network begins; the name says what it does. */
        STRIKE,
        /** A strike is over. */
        CALM,
        /**
         * The store still has something of the lock though all clients are gone: the weight is how many claims,
         * the value for how many milliseconds it is kept, -1 for ever.
         */
        LEFT,
        /** The value is how many bytes the store keeps of the lock, the weight how many claims are in it. */
        RECORD
    }

    private static final int COLUMNS = 10;

    /** The event as a line, without its end. */
    public String line() {
        return nanos + " " + process + " " + thread + " " + type + " " + hold + " " + name + " " + weight + " "
                + capacity + " " + token + " " + value;
    }

    /** Reads a line; empty if it is not a whole one, as the last of a process that was killed. */
    static Optional<Event> parse(String line) {
        String[] columns = line.split(" ", -1);
        if (columns.length != COLUMNS) {
            return Optional.empty();
        }
        return Optional.of(new Event(
                Long.parseLong(columns[0]),
                columns[1],
                Integer.parseInt(columns[2]),
                Type.valueOf(columns[3]),
                Long.parseLong(columns[4]),
                columns[5],
                Integer.parseInt(columns[6]),
                Integer.parseInt(columns[7]),
                Long.parseLong(columns[8]),
                Long.parseLong(columns[9])));
    }
}
