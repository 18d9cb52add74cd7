package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A check of a trial in which nothing goes wrong, that who waits is told of its grant: who only finds it out asks three times a lease,
 * which takes a sixth of one as often as not. So of the locks that went from one process to another that waited, half have to be there
 * within a tenth, without what the machine took. It is half of them, and not each, as a busy machine delays one for much longer.
 */
public final class ToldInTime implements Check {
    private static final int SHARE_OF_LEASE = 10;
    /** Of fewer nothing is said. */
    private static final int LEAST = 20;

    private final long limit;

    /** Creates a check of locks with this lease. */
    public ToldInTime(Duration lease) {
        limit = lease.toNanos() / SHARE_OF_LEASE;
    }

    /** A hand-over, and how long it took. */
    private record Took(HandOvers.HandOver one, long nanos) {}

    @Override
    public List<Violation> of(History history) {
        Waits waits = new Waits(history);
        List<Took> all = new ArrayList<>();
        for (HandOvers.HandOver one : HandOvers.find(history)) {
            if (one.wasWaitedFor() && one.isToAnother()) {
                long stalled = waits.stalled(one.from(), one.to().granted());
                all.add(new Took(one, one.nanos() - stalled));
            }
        }
        all.sort(Comparator.comparingLong(Took::nanos));
        if (all.size() < LEAST || all.get(all.size() / 2).nanos() <= limit) {
            return List.of();
        }
        Took half = all.get(all.size() / 2);
        return List.of(new Violation(
                Rule.UNTOLD,
                half.one().to().name(),
                half.one().from(),
                half.one().to().granted(),
                "half of " + all.size() + " that waited had it after "
                        + Duration.ofNanos(half.nanos()).toMillis() + " ms or more, as "
                        + half.one().to()));
    }
}
