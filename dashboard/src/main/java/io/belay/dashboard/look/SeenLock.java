package io.belay.dashboard.look;

import io.belay.Inspection;
import io.belay.Inspection.Claim;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock as it was last read. Small, as there may be a hundred thousand: claims are kept where somebody waits, and else only
 * what the list shows of the holder.
 *
 * @param name its full name
 * @param holder who holds it; the first of several
 * @param holders how many hold it
 * @param token the first holder's fencing token, by which a hand-over is noticed
 * @param heldNanos for how long its holder had had it by then; negative if its client has not told
 * @param waiters how many waited, those inside clients counted too
 * @param waitNanos how long the first of those who wait in the store had waited
 * @param silent whether a holder had missed two renewals
 * @param handOvers how often it was seen to have gone to another since it was first read
 * @param readNanos when it was read
 * @param claims holders and waiters in their order; empty if nobody waits
 */
record SeenLock(
        String name,
        Who holder,
        int holders,
        long token,
        long heldNanos,
        int waiters,
        long waitNanos,
        boolean silent,
        int handOvers,
        long readNanos,
        List<Claim> claims) {
    /** The order in which people look: what is waited for longest first, then what is held longest. */
    static final Comparator<SeenLock> ORDER = Comparator.comparingLong((SeenLock lock) -> -lock.waitNanos)
            .thenComparingInt(lock -> -lock.waiters)
            .thenComparingLong(lock -> -lock.heldNanos)
            .thenComparing(SeenLock::name);

    /** Makes one of what was read now and, if it was in use, what was read before. */
    static SeenLock of(Inspection seen, @Nullable SeenLock before, long now) {
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
        int waiters = waiting.size() + inside;
        long token = holding.isEmpty() ? 0 : holding.get(0).token();
        return new SeenLock(
                seen.name(),
                holding.isEmpty() ? Who.NOBODY : Who.of(holding.get(0)),
                holding.size(),
                token,
                held,
                waiters,
                oldest,
                holding.stream().anyMatch(SeenLock::isSilent),
                before == null ? 0 : before.handOvers() + (before.isHandedOver(token) ? 1 : 0),
                now,
                waiters == 0 ? List.of() : List.copyOf(seen.claims()));
    }

    /** Returns whether a client is overdue: it renews at a third of its lease, which is what it was heard ago and has left. */
    static boolean isSilent(Claim claim) {
        return claim.heard()
                .filter(heard ->
                        heard.toMillis() * 3 > heard.plus(claim.remaining()).toMillis() * 2)
                .isPresent();
    }

    private boolean isHandedOver(long newToken) {
        return holders > 0 && newToken != 0 && newToken != token;
    }

    boolean isFree() {
        return holders == 0 && waiters == 0;
    }

    /** Returns whether it was read after a moment. */
    boolean isSince(long nanos) {
        return readNanos - nanos >= 0;
    }
}
