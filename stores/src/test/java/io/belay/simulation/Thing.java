package io.belay.simulation;

import io.belay.LockOptions;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that users want from the store: a lock, a read-write lock, or a semaphore. */
final class Thing {
    enum Kind {
        LOCK,
        READ_WRITE,
        SEMAPHORE,
        /** What has no holder. */
        OTHER
    }

    static final long LONGEST_LEASE = 3_000_000_000L;

    final String name;
    final Kind kind;
    /** The capacity of a semaphore. */
    int capacity;
    /** The largest capacity so far: a smaller one takes nothing away. */
    int room;
    /** In how many ways it is asked for. */
    final List<LockOptions> variants = new ArrayList<>();
    /** When anybody, and anybody who wants all of it, was last known to have or to want it and did so no more. */
    long claimed = Long.MIN_VALUE / 2;

    long claimedWhole = Long.MIN_VALUE / 2;
    /** How many attempts at it were begun. */
    long begun;
    /** When it was last taken away by force. */
    long evicted = Long.MIN_VALUE / 2;
    /** When it was last given another capacity. */
    long resized = Long.MIN_VALUE / 2;
    /** Since when somebody waits though nobody uses it, or the greatest number. */
    long idleSince = Long.MAX_VALUE;
    /** Until when it may be kept after a release. */
    long keptUntil = Long.MIN_VALUE / 2;
    /** Who last reserved its document, and when: nobody else writes to it for a moment, whatever becomes of that machine. */
    @Nullable
    Machine reserver;

    long reserved;
    /** When renewals of it last failed. */
    long bad = Long.MIN_VALUE / 2;
    /** The highest token of a writer, and of anybody, that was seen to be held. */
    long highestWhole;

    long highest;

    private Thing(String name, Kind kind, int capacity) {
        this.name = name;
        this.kind = kind;
        this.capacity = capacity;
        room = capacity;
    }

    /** Something that is no lock: it is asked for in one way only. */
    static Thing named(String name) {
        Thing thing = new Thing(name, Kind.OTHER, Resource.WHOLE);
        thing.variants.add(LockOptions.defaults());
        return thing;
    }

    static Duration lease(Dice dice) {
        return Duration.ofMillis(dice.magnitude(dice.of(100, 1000), LONGEST_LEASE / 1_000_000));
    }

    /** @param lease the lease of all, so that renewals fall due together; null if each is to have its own */
    static Thing drawn(String name, Plan plan, @Nullable Duration lease, Dice dice) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.LOCK));
        if (plan.has(Use.READ_WRITE)) {
            kinds.add(Kind.READ_WRITE);
        }
        if (plan.has(Use.SEMAPHORES)) {
            kinds.add(Kind.SEMAPHORE);
        }
        Kind kind = dice.of(kinds);
        Thing thing = new Thing(name, kind, kind == Kind.SEMAPHORE ? 1 + dice.below(4) : Resource.WHOLE);
        int variants = 1 + dice.below(3);
        for (int i = 0; i < variants; i++) {
            thing.variants.add(options(plan, lease == null ? lease(dice) : lease, dice));
        }
        return thing;
    }

    private static LockOptions options(Plan plan, Duration lease, Dice dice) {
        LockOptions options =
                LockOptions.defaults().withLease(lease).withSlice(Duration.ofMillis(dice.magnitude(1, 50)));
        if (plan.has(Use.STRICT_ORDER) && dice.onceIn(3)) {
            options = options.withStrictOrder(true);
        }
        if (plan.has(Use.NO_BARGING) && dice.onceIn(3)) {
            options = options.withBarging(false);
        }
        if (plan.has(Use.FIXED_LEASES) && dice.onceIn(3)) {
            options = options.withFixedLease(Duration.ofMillis(dice.magnitude(100, 3000)));
        }
        if (plan.has(Use.MAX_HOLD) && dice.onceIn(3)) {
            options = options.withMaxHold(Duration.ofMillis(dice.magnitude(1, 1000)));
        }
        if (plan.has(Use.AT_LEAST) && dice.onceIn(3)) {
            options = options.withAtLeast(Duration.ofMillis(dice.magnitude(dice.of(10, 1000), 3000)));
        }
        if (plan.has(Use.STICKY) && dice.onceIn(3)) {
            options = options.withSticky(Duration.ofMillis(dice.magnitude(1, 5000)));
        }
        return options;
    }

    void claimed(long now, boolean whole) {
        claimed = now;
        if (whole) {
            claimedWhole = now;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
