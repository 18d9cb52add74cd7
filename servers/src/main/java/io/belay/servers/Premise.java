package io.belay.servers;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * What a test takes for granted and a busy machine can take away: that a lease is still held when its holder is killed,
 * say. A test that notices so has shown nothing. It begins again with a longer lease, and says so. A promise that is
 * broken is an assertion that fails, at once.
 */
public final class Premise {
    /** With three times the lease each, the last one has 81 times the first one's. */
    private static final int ATTEMPTS = 5;

    private static final int LONGER = 3;

    private static final Pattern NO_ANSWER =
            Pattern.compile("The store did not answer in time, .* has the lock '[^']*'");

    /** A test of a lease. */
    public interface Attempt {
        /**
         * Runs it.
         *
         * @param lease the lease to take
         * @throws Exception if it failed
         */
        void run(Duration lease) throws Exception;
    }

    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;

        Gone(String what) {
            super(what);
        }
    }

    private Premise() {}

    /** Ends the attempt if this does not hold, for lack of a machine that is fast enough. */
    public static void check(boolean holds, String what) {
        if (!holds) {
            throw new Gone(what);
        }
    }

    /**
     * Returns what a try comes to that waits for nobody, or not for long. The former ends after a fifth of a second without an
     * answer, and where there is no reason for that it has shown nothing: then it is made again.
     */
    public static <T> T answered(Callable<T> attempt) throws Exception {
        long end = System.nanoTime() + Pace.patience().toNanos();
        while (true) {
            try {
                return attempt.call();
            } catch (RuntimeException e) {
                if (!NO_ANSWER.matcher(String.valueOf(e.getMessage())).matches() || System.nanoTime() > end) {
                    throw e;
                }
                System.out.println("belay: not so on this machine: an answer within the time of a try; again");
            }
        }
    }

    /** Runs a test whose premise needs a lease: this one, and where it was too short, longer ones. */
    public static void withLease(Duration shortest, Attempt attempt) throws Exception {
        Duration lease = shortest;
        for (int left = ATTEMPTS; ; left--) {
            try {
                attempt.run(lease);
                return;
            } catch (Gone e) {
                if (left == 1) {
                    throw new AssertionError("with a lease of " + lease + " not even: " + e.getMessage(), e);
                }
                lease = lease.multipliedBy(LONGER);
                System.out.println("belay: not so on this machine: " + e.getMessage() + "; again, with a lease of "
                        + lease.toMillis() + " ms");
            }
        }
    }
}
