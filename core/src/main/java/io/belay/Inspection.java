package io.belay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The holders of a lock and those who wait for it, at one moment. The store knows clients; what happens inside a client
 * reaches the store with its renewals, and may be a third of a lease old, except for the client that asks.
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
     * @param thread the thread that has the lock, or the one that entered the claim while it waits; one of them where
     *     several threads of the client read, whose number stores do not know; empty while a client keeps the lock and none
     *     of its threads has it
     * @param behalf on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's
     * @param place 0 for a holder, else the place among the waiters, from 1
     * @param token the fencing token of its first hold; 0 while it waits
     * @param mode how it has the lock, or wants it
     * @param permits the number of permits; 1 for anything but a semaphore
     * @param age how long ago it entered
     * @param held for how long the thread has had the lock; empty while it waits, and until its client has told
     * @param heard when its client was last heard of; empty where the store does not tell
     * @param remaining how long it stands unless it is renewed
     * @param localWaiters how many waiters stand behind it inside its client
     * @param own whether it belongs to the client that asked
     */
    public record Claim(
            String client,
            String host,
            long process,
            String thread,
            String behalf,
            int place,
            long token,
            LockMode mode,
            int permits,
            Duration age,
            Optional<Duration> held,
            Optional<Duration> heard,
            Duration remaining,
            int localWaiters,
            boolean own) {
        public Claim {
            Objects.requireNonNull(client, "client");
            Objects.requireNonNull(host, "host");
            Objects.requireNonNull(thread, "thread");
            Objects.requireNonNull(behalf, "behalf");
            Objects.requireNonNull(mode, "mode");
            Objects.requireNonNull(age, "age");
            Objects.requireNonNull(held, "held");
            Objects.requireNonNull(heard, "heard");
            Objects.requireNonNull(remaining, "remaining");
        }

        /** Makes a claim of that owner; the methods below add the rest. */
        public static Claim of(String client, String host, long process, String thread, String behalf) {
            return new Claim(
                    client,
                    host,
                    process,
                    thread,
                    behalf,
                    0,
                    0,
                    LockMode.EXCLUSIVE,
                    1,
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ZERO,
                    0,
                    false);
        }

        private record Standing(int place, long token, LockMode mode, int permits, int waiters, boolean own) {}

        private record Times(Duration age, Optional<Duration> held, Optional<Duration> heard, Duration remaining) {}

        private Claim with(Standing standing, Times times) {
            return new Claim(
                    client,
                    host,
                    process,
                    thread,
                    behalf,
                    standing.place,
                    standing.token,
                    standing.mode,
                    standing.permits,
                    times.age,
                    times.held,
                    times.heard,
                    times.remaining,
                    standing.waiters,
                    standing.own);
        }

        private Times times() {
            return new Times(age, held, heard, remaining);
        }

        /** Returns the same claim, with its place and the token of its first hold. */
        public Claim withPlace(int itsPlace, long itsToken) {
            return with(new Standing(itsPlace, itsToken, mode, permits, localWaiters, own), times());
        }

        /** Returns the same claim, with how it has the lock, or wants it. */
        public Claim withMode(LockMode mode, int permits) {
            return with(new Standing(place, token, mode, permits, localWaiters, own), times());
        }

        /** Returns the same claim, with its times: each as the component of that name. */
        public Claim withTimes(Duration age, Optional<Duration> held, Optional<Duration> heard, Duration remaining) {
            Standing standing = new Standing(place, token, mode, permits, localWaiters, own);
            return with(standing, new Times(age, held, heard, remaining));
        }

        /** Returns the same claim, with how many wait inside its client, and whether that client asks. */
        public Claim withClient(int waiters, boolean isOwn) {
            return with(new Standing(place, token, mode, permits, waiters, isOwn), times());
        }
    }
}
