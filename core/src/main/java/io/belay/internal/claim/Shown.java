package io.belay.internal.claim;

import io.belay.Inspection;
import io.belay.LeaderElection;
import io.belay.LockMode;
import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.RequestKind;
import io.belay.SlowRequest;
import io.belay.SlowWait;
import io.belay.Statistics;
import io.belay.StoreHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What users are shown: the records behind interfaces of the API. The parts are those of the interfaces, whose Javadoc tells
 * what they are; nobody changes the lists and maps, which are copied here.
 */
public final class Shown {
    private Shown() {}

    /** Returns so many of a store's microseconds; none if that is negative, as clocks round. */
    public static Duration micros(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }

    /** All claims on a lock. */
    public record Claims(String name, List<Inspection.Claim> claims) implements Inspection {
        public Claims {
            claims = List.copyOf(claims);
        }
    }

    /** A leader. */
    public record Leader(String client, String host, long process, String thread, String behalf, long token)
            implements LeaderElection.Leader {}

    /** What was asked for, and by whom. */
    public record Asked(String name, LockMode mode, int permits, String thread, String behalf) {}

    /** A hold of this client. */
    public record Hold(
            String name,
            LockMode mode,
            int permits,
            long token,
            String thread,
            String behalf,
            Duration held,
            Duration remaining)
            implements OwnHold {
        /** Makes the hold of what was asked for. */
        public static Hold of(Asked what, long token, Duration held, Duration remaining) {
            return new Hold(what.name, what.mode, what.permits, token, what.thread, what.behalf, held, remaining);
        }
    }

    /** A wait of this client. */
    public record Wait(String name, LockMode mode, int permits, String thread, String behalf, Duration waited)
            implements OwnWait {
        /** Makes the wait for what was asked for. */
        public static Wait of(Asked what, Duration waited) {
            return new Wait(what.name, what.mode, what.permits, what.thread, what.behalf, waited);
        }
    }

    /** A wait that is long. */
    public record LongWait(OwnWait waiter, List<Inspection.Claim> ahead, List<OwnHold> holds) implements SlowWait {
        public LongWait {
            ahead = List.copyOf(ahead);
            holds = List.copyOf(holds);
        }
    }

    /** An answer that came late. */
    public record LateAnswer(RequestKind kind, Duration took, Instant at) implements SlowRequest {}

    /** The state of the store. */
    public record Health(boolean answering, Duration failing, Optional<String> failure, Optional<SlowRequest> lastSlow)
            implements StoreHealth {}

    /** The counts of a client. */
    public record Counts(
            Map<String, LockStatistics> locks,
            Map<RequestKind, Statistics.Requests> requests,
            long outages,
            long lostPushes)
            implements Statistics {
        public Counts {
            locks = Map.copyOf(locks);
            requests = Map.copyOf(requests);
        }
    }

    /** The counts of requests. */
    public record Requests(long answered, Duration time, long failed) implements Statistics.Requests {}

    /** The counts of a family. */
    public record FamilyCounts(Waits waits, Holds holds, Now now) implements LockStatistics {}

    /** The counts of waits. */
    public record Waits(
            Map<WaitEnd, Long> counts,
            Map<WaitEnd, Duration> times,
            Duration longest,
            long handOffs,
            SortedMap<Duration, Long> acquiredWithin)
            implements LockStatistics.Waits {
        public Waits {
            counts = Map.copyOf(counts);
            times = Map.copyOf(times);
            acquiredWithin = Collections.unmodifiableSortedMap(new TreeMap<>(acquiredWithin));
        }
    }

    /** The counts of holds. */
    public record Holds(
            Map<HoldEnd, Long> counts, Map<HoldEnd, Duration> times, Duration longest, Map<LossReason, Long> lost)
            implements LockStatistics.Holds {
        public Holds {
            counts = Map.copyOf(counts);
            times = Map.copyOf(times);
            lost = Map.copyOf(lost);
        }
    }

    /** What is there of a family. */
    public record Now(long holding, long waiting, Duration oldestHold, Duration longestWait)
            implements LockStatistics.Now {}
}
