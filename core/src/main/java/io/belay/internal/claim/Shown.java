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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What users are shown: the records behind interfaces of the API. The parts are those of the interfaces, whose Javadoc tells
 * what they are. Whoever makes one hands in lists and maps that nobody can change, as they are not copied here.
 */
public final class Shown {
    private Shown() {}

    /** Returns so many of a store's microseconds; none if that is negative, as clocks round. */
    public static Duration micros(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }

    /** The claims on a lock. */
    public record Claims(String name, List<Inspection.Claim> claims) implements Inspection {}

    /** A leader. */
    public record Leader(String client, String host, long process, String thread, String behalf, long token)
            implements LeaderElection.Leader {}

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
        /** Makes the hold that a wait has become, for as many permits as that says. */
        public static Hold of(Wait wait, long token, Duration held, Duration remaining) {
            return new Hold(wait.name, wait.mode, wait.permits, token, wait.thread, wait.behalf, held, remaining);
        }
    }

    /** A wait of this client. */
    public record Wait(String name, LockMode mode, int permits, String thread, String behalf, Duration waited)
            implements OwnWait {}

    /** A wait that is long. */
    public record LongWait(OwnWait waiter, List<Inspection.Claim> ahead, List<OwnHold> holds) implements SlowWait {}

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
            implements Statistics {}

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
            implements LockStatistics.Waits {}

    /** The counts of holds. */
    public record Holds(
            Map<HoldEnd, Long> counts, Map<HoldEnd, Duration> times, Duration longest, Map<LossReason, Long> lost)
            implements LockStatistics.Holds {}

    /** What is there of a family. */
    public record Now(long holding, long waiting, Duration oldestHold, Duration longestWait)
            implements LockStatistics.Now {}
}
