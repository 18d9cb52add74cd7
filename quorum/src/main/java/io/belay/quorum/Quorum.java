package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.support.Moment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The common part of one client's quorum: its members, its clock, chance, and how votes are counted. */
final class Quorum {
    /** A proposal is ahead of the clocks by a round trip and this, in microseconds. */
    private static final long LEAD = 2_000;

    /** The part of the member timeout for which those that were silent before are waited for: one in so many. */
    private static final int IMPATIENCE = 10;

    static final long LEAST_SPREAD = 1_000_000;
    private static final long WIDEST_SPREAD = 32_000_000;

    final long client;
    final List<Member> members;
    final int size;
    /** The number of members that is needed, whether or not they can be reached. */
    final int majority;

    final long longestMicros;
    final long timeoutNanos;
    final Clock clock;
    final Random random;
    final Loop loop;
    /** The time over which claims spread attempts that nothing orders, in nanoseconds; it grows as they collide. */
    private long spread = LEAST_SPREAD;

    private final long microsAtStart;
    private final long nanosAtStart;

    Quorum(long client, QuorumUrl url, Clock clock, Random random, Loop loop) {
        this(client, url, url.members().size() / 2 + 1, clock, random, loop);
    }

    /** Makes a quorum with another majority than it takes, to see what comes of that. */
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
        Arrays.setAll(all, i -> new Member(i, url.label(i + 1), longestMicros, timeoutNanos, clock, loop));
        members = List.of(all);
    }

    /** Returns the quorum's time in microseconds: this client's, as only it reads the answers. Never goes back. */
    long micros() {
        return micros(clock.nanos());
    }

    private long micros(long nanos) {
        return microsAtStart + (nanos - nanosAtStart) / 1000;
    }

    /** Returns until when a member promises what it has answered, to a request that was sent after that instant. */
    PromisedEnd promised(Moment asked, Answer answer) {
        return new PromisedEnd(micros(asked.nanos()) + answer.deadline() - answer.time(), asked);
    }

    void later(long nanos, Runnable step) {
        clock.later(nanos, () -> loop.run(step));
    }

    /** Runs a step after the short time for which those that were silent before are waited for. */
    void shortly(Runnable step) {
        later(timeoutNanos / IMPATIENCE, step);
    }

    /**
     * Runs a step after the member timeout, if it is still wanted then. The time has two parts, so that after a pause of this
     * process, which the members are not to blame for, the answers that have come meanwhile are read in the second one.
     */
    void afterTimeout(BooleanSupplier wanted, Runnable step) {
        later(timeoutNanos - timeoutNanos / IMPATIENCE, () -> {
            if (wanted.getAsBoolean()) {
                shortly(() -> {
                    if (wanted.getAsBoolean()) {
                        step.run();
                    }
                });
            }
        });
    }

    /** Returns that much, or up to a half less. */
    long jittered(long nanos) {
        return nanos - (long) (random.nextDouble() * (nanos >> 1));
    }

    /** Returns the greatest value that a majority has at least. */
    long ofMajority(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[size - majority];
    }

    /** Returns a pause of its own for each claim that tries, so that they do not hinder each other. */
    long spread() {
        return (long) (random.nextDouble() * spread);
    }

    /** Returns a pause of its own for each of the few claims that hear of a release. */
    long moment() {
        return moment(LEAST_SPREAD);
    }

    /** Returns a pause of its own, shorter than so many nanoseconds. */
    long moment(long spread) {
        return (long) (random.nextDouble() * spread);
    }

    /** Returns a pause longer than that of others that spread as widely. */
    long afterOthers() {
        return 2 * spread;
    }

    /** Widens the spread: several claims got some of the members each, and so none got the lock. */
    void collided() {
        spread = Math.min(WIDEST_SPREAD, 2 * spread);
    }

    void won() {
        spread = Math.max(LEAST_SPREAD, spread - spread / 8);
    }

    /**
     * Returns a sequence that as many members as can be will take: one for all, so that the claim has the same
     * wherever it is granted.
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
