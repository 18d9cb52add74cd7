package io.belay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The holders of a lock and those who wait for it, at one moment. The store knows clients; what happens inside a
 * client reaches the store with renewals and may be a third of a lease old, except for the client that asks.
 *
 * @param name the lock's full name
 * @param claims the claims in their order, holders first
 */
public record Inspection(String name, List<Claim> claims) {
    /** Copies the list. */
    public Inspection {
        Objects.requireNonNull(name, "name");
        claims = List.copyOf(Objects.requireNonNull(claims, "claims"));
    }

    /**
     * A client's place in the queue.
     *
     * @param client the client's name
     * @param host its host
     * @param process its process id
     * @param thread the thread that entered the claim; for a claim of the asking client the thread that holds the lock
     *     now
     * @param place 0 for a holder, else the place among the waiters, from 1
     * @param token the fencing token of its first hold; 0 while it waits
     * @param age how long ago it entered
     * @param remaining how long it stands unless it is renewed
     * @param localWaiters how many waiters stand behind it inside its client
     * @param own whether it belongs to the client that asked
     */
    public record Claim(
            String client,
            String host,
            long process,
            String thread,
            int place,
            long token,
            Duration age,
            Duration remaining,
            int localWaiters,
            boolean own) {
        public Claim {
            Objects.requireNonNull(client, "client");
            Objects.requireNonNull(host, "host");
            Objects.requireNonNull(thread, "thread");
            Objects.requireNonNull(age, "age");
            Objects.requireNonNull(remaining, "remaining");
        }

        /** Makes a claim of that owner; the methods below add the rest. */
        public static Claim of(String client, String host, long process, String thread) {
            return new Claim(client, host, process, thread, 0, 0, Duration.ZERO, Duration.ZERO, 0, false);
        }

        /** Returns the same claim, with its place and the token of its first hold. */
        public Claim withPlace(int itsPlace, long itsToken) {
            return new Claim(client, host, process, thread, itsPlace, itsToken, age, remaining, localWaiters, own);
        }

        /** Returns the same claim, with how long ago it entered and how long it stands unless it is renewed. */
        public Claim withTimes(Duration age, Duration remaining) {
            return new Claim(client, host, process, thread, place, token, age, remaining, localWaiters, own);
        }

        /** Returns the same claim, with how many wait inside its client, and whether that client asks. */
        public Claim withClient(int waiters, boolean isOwn) {
            return new Claim(client, host, process, thread, place, token, age, remaining, waiters, isOwn);
        }
    }
}
