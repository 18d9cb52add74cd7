package io.belay.dashboard.look;

import io.belay.Inspection;
import io.belay.Inspection.Claim;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A lock as it was last read. Small, as there may be a hundred thousand: claims are kept where somebody waits, and else only
 * what the list shows of the holder.
 *
 * @param name its full name
 * @param holder who holds it; the first of several
 * @param holders how many hold it
 * @param token the first holder's fencing token
 * @param newest the highest token that a holder was seen to have: the lock was handed over once the first holder's is higher
 * @param heldNanos for how long its holder had had it by then, as its client has told, or since it was first seen to hold it;
 *     negative if neither is known
 * @param waiters how many waited, those inside clients counted too
 * @param waitNanos how long the first of those who wait in the store had waited
 * @param silent whether a holder had missed two renewals
 * @param readNanos when it was read
 * @param claims holders and waiters in their order; empty if nobody waits, and no holder for another lock
 */
record SeenLock(
        String name,
        Who holder,
        int holders,
        long token,
        long newest,
        long heldNanos,
        int waiters,
        long waitNanos,
        boolean silent,
        long readNanos,
        List<Claim> claims) {
    /** The order in which people look: what is waited for longest first, then what is held longest. */
    static final Comparator<SeenLock> ORDER = Comparator.comparingLong((SeenLock lock) -> -lock.waitNanos)
            .thenComparingInt(lock -> -lock.waiters)
            .thenComparingLong(lock -> -lock.heldNanos)
            .thenComparing(SeenLock::name);

    /** From a reading to the next, at most: what is new then has begun just now. */
    private static final long JUST_NOW = TimeUnit.SECONDS.toNanos(2);

    /** Makes one that was free when it was read. */
    static SeenLock free(String name, long readNanos) {
        return new SeenLock(name, Who.NOBODY, 0, 0, 0, -1, 0, 0, false, readNanos, List.of());
    }

    /**
     * Makes one of what was read now and what was read before.
     *
     * @param same returns the one object for all who are equal, as a client may hold many locks
     */
    static SeenLock of(Inspection seen, SeenLock before, UnaryOperator<Who> same, long now) {
        List<Claim> holding =
                seen.claims().stream().filter(claim -> claim.place() == 0).toList();
        List<Claim> waiting =
                seen.claims().stream().filter(claim -> claim.place() > 0).toList();
        int inside = seen.claims().stream().mapToInt(Claim::localWaiters).sum();
        long oldest = waiting.stream()
                .map(Claim::age)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .toNanos();
        long held = holding.stream()
                .flatMap(claim -> claim.held().stream())
                .mapToLong(Duration::toNanos)
                .max()
                .orElse(-1);
        long token = holding.isEmpty() ? 0 : holding.get(0).token();
        if (held < 0 && token != 0 && !holding.get(0).thread().isEmpty()) { // else it is kept, and nobody has it
            held = before.heldNanos(token, now);
        }
        int waiters = waiting.size() + inside;
        return new SeenLock(
                seen.name(),
                holding.isEmpty() ? Who.NOBODY : same.apply(Who.of(holding.get(0))),
                holding.size(),
                token,
                holding.stream().mapToLong(Claim::token).reduce(before.newest(), Math::max),
                held,
                waiters,
                oldest,
                holding.stream().anyMatch(SeenLock::isSilent),
                now,
                waiters > 0
                                || holding.stream()
                                        .anyMatch(claim -> claim.waitsFor().isPresent())
                        ? List.copyOf(seen.claims())
                        : List.of());
    }

    /** Returns whether a client is overdue: it renews at a third of its lease, which is what it was heard ago and has left. */
    static boolean isSilent(Claim claim) {
        return claim.heard()
                .filter(heard ->
                        heard.toMillis() * 3 > heard.plus(claim.remaining()).toMillis() * 2)
                .isPresent();
    }

    /** Returns for how long that token has been seen to hold it; negative if the one before may have been seen long ago. */
    private long heldNanos(long thatToken, long now) {
        long since = now - readNanos;
        if (thatToken == token) {
            return heldNanos < 0 ? -1 : heldNanos + since;
        }
        return thatToken > newest && since <= JUST_NOW ? 0 : -1;
    }

    /** Returns whether a first holder came after all that were seen: one of several has no more than outlasted those before it. */
    boolean isHandedOver(long newToken) {
        return holders > 0 && newToken > newest;
    }

    boolean isFree() {
        return holders == 0 && waiters == 0;
    }

    /** Returns whether it was read after a moment. */
    boolean isSince(long nanos) {
        return readNanos - nanos >= 0;
    }
}
