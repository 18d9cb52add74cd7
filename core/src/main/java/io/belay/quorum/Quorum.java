package io.belay.quorum;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the parts of one client's quorum share: its members, its clock, chance, and how things are counted. */
final class Quorum {
    /** A proposal is ahead of the clocks by a round trip and this, in microseconds. */
    private static final long LEAD = 2_000;

    private static final long LEAST_SPREAD = 1_000_000;
    private static final long WIDEST_SPREAD = 32_000_000;

    final long client;
    final List<Member> members;
    final int size;
    /** How many of all members are needed, whether or not they can be reached. */
    final int majority;

    final long longestMicros;
    final long timeoutNanos;
    final Clock clock;
    final Random random;
    final Loop loop;
    /** How widely those who hear a bell spread their attempts, in nanoseconds: the more, the more often they collide. */
    private long spread = LEAST_SPREAD;

    private final long microsAtStart;
    private final long nanosAtStart;

    Quorum(long client, QuorumUrl url, Clock clock, Random random, Loop loop) {
        this(client, url, url.members().size() / 2 + 1, clock, random, loop);
    }

    /** With another majority than it takes, to see what comes of that. */
    Quorum(long client, QuorumUrl url, int majority, Clock clock, Random random, Loop loop) {
        this.client = client;
        this.clock = clock;
        this.random = random;
        this.loop = loop;
        size = url.members().size();
        this.majority = majority;
        longestMicros = url.longestLease().toNanos() / 1000;
        timeoutNanos = url.memberTimeout().toNanos();
        microsAtStart = System.currentTimeMillis() * 1000;
        nanosAtStart = clock.nanos();
        Member[] all = new Member[size];
        Arrays.setAll(all, i -> new Member(i, url.label(i + 1), longestMicros, clock, loop));
        members = List.of(all);
    }

    /** The quorum's time in microseconds: this client's, as nobody else reads what it answers. Never goes back. */
    long micros() {
        return microsAtStart + (clock.nanos() - nanosAtStart) / 1000;
    }

    void later(long nanos, Runnable step) {
        clock.later(nanos, () -> loop.run(step));
    }

    /** That much, or up to a half less. */
    long jittered(long nanos) {
        return nanos - (long) (random.nextDouble() * (nanos >> 1));
    }

    /** The most that a majority has at least. */
    long ofMajority(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[size - majority];
    }

    /** An instant of its own for everybody, so that they do not hinder each other. */
    long spread() {
        return (long) (random.nextDouble() * spread);
    }

    /** Longer than what others wait who spread as widely. */
    long afterOthers() {
        return 2 * spread;
    }

    /** Several got some of the members each, and so nobody the lock. */
    void collided() {
        spread = Math.min(WIDEST_SPREAD, 2 * spread);
    }

    void won() {
        spread = Math.max(LEAST_SPREAD, spread - spread / 8);
    }

    /**
     * A sequence that as many members as can be will take: one for all, so that it is the same wherever it is had.
     *
     * @param lease how far ahead of its clock a member takes one, in microseconds
     * @param floors what members have said is the least that they take
     */
    long propose(long lease, long[] floors) {
        long[] least = new long[size];
        int known = 0;
        for (Member member : members) {
            long one = Math.max(member.clock(), floors[member.index]);
            if (one > 0) {
                least[known++] = one;
            }
        }
        if (known == 0) {
            return 1; // nobody takes that, but all will tell what they take
        }
        long[] sorted = Arrays.copyOf(least, known);
        Arrays.sort(sorted);
        // A clock that is far ahead of most costs its own vote alone.
        long most = sorted[Math.min(known, majority) - 1] + lease / 2;
        long highest = Arrays.stream(sorted).filter(one -> one <= most).max().orElse(1);
        return highest + LEAD;
    }
}
