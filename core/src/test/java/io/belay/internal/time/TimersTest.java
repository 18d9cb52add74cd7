package io.belay.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.internal.FullTimers;
import io.belay.internal.ManualTime;
import io.belay.support.Logged;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    /** From now to five minutes ahead, in nanoseconds. */
    private static final long[] SPANS = {0, 1, 1_000, 100_000_000, 1_000_000_000, 60_000_000_000L, 300_000_000_000L};

    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final ManualTime time = new ManualTime();
    private final List<Integer> fired = new ArrayList<>();
    private final Timers timers = new Timers(time, Threads.SYSTEM, () -> {});

    private final class Numbered extends Timers.Timer {
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public void fire(long now) {
            fired.add(number);
        }
    }

    /** What is scheduled, as a plain list in the order of scheduling. */
    private record Entry(int number, long at) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void firesWhatAnOrderedListWould(long seed) {
        Random random = new Random(seed);
        List<Entry> model = new ArrayList<>();
        List<Numbered> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(new Numbered(i));
        }
        for (int i = 0; i < 20_000; i++) {
            int number = random.nextInt(all.size());
            int kind = random.nextInt(10);
            if (kind < 6) {
                long at = time.nanos() + span(random) - (random.nextInt(20) == 0 ? span(random) : 0);
                // A timer that is set for the same instant again keeps its place.
                if (!model.contains(new Entry(number, at))) {
                    model.removeIf(e -> e.number() == number);
                    model.add(new Entry(number, at));
                }
                timers.schedule(all.get(number), at);
            } else if (kind < 8) {
                model.removeIf(e -> e.number() == number);
                timers.cancel(all.get(number));
            } else {
                time.advanceTo(time.nanos() + (random.nextBoolean() ? span(random) : span(random) / 100));
                runAndCompare(model);
            }
            assertThat(timers.size()).isEqualTo(model.size());
        }
        while (!model.isEmpty()) {
            time.advanceTo(runAndCompare(model));
            runAndCompare(model);
        }
        assertThat(timers.size()).isZero();
    }

    private static long span(Random random) {
        long longest = SPANS[random.nextInt(SPANS.length)];
        return longest == 0 ? 0 : random.nextLong(longest);
    }

    private long runAndCompare(List<Entry> model) {
        List<Entry> due = model.stream()
                .filter(e -> e.at() <= time.nanos())
                .sorted(Comparator.comparingLong(Entry::at))
                .toList();
        model.removeAll(due);
        fired.clear();
        long next = timers.run();
        assertThat(fired).isEqualTo(due.stream().map(Entry::number).toList());
        assertThat(next).isEqualTo(model.stream().mapToLong(Entry::at).min().orElse(Long.MAX_VALUE));
        return next;
    }

    @Test
    void aTimerThatFiresMayCancelAndScheduleOthers() {
        Numbered far = new Numbered(2);
        Numbered cancelled = new Numbered(3);
        Timers.Timer first = Timers.Timer.of(() -> {
            fired.add(1);
            timers.cancel(cancelled);
            timers.schedule(far, time.nanos());
        });
        timers.schedule(first, time.nanos());
        timers.schedule(cancelled, time.nanos());
        timers.schedule(far, time.nanos() + 10_000_000_000L);
        assertThat(timers.run()).isEqualTo(Long.MAX_VALUE);
        assertThat(fired).containsExactly(1, 2);
        assertThat(timers.size()).isZero();
    }

    /** As by a container that interrupts all threads of an application, or by a driver. */
    @Test
    void aKeeperThatWasInterruptedSleepsTheNextTime() {
        Thread.currentThread().interrupt();
        timers.watch();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** The keeper is late, and whoever helps it has come for a lock. */
    @Test
    void whatFollowsTheTimersThrowsNothingAtWhoeverHelps() {
        Timers failing = new Timers(time, new Idle(new ArrayList<>(), new ArrayList<>()), () -> {
            throw ERROR;
        });
        failing.start("keeper");
        failing.schedule(new Numbered(1), time.nanos());
        time.advanceTo(time.nanos() + 1_000_000_000);
        failing.help(time.nanos());
        assertThat(fired).containsExactly(1);
    }

    /** There is no memory for it: those who have one are to set it again in a moment, not when the keeper would wake up next. */
    @Test
    void theKeeperLooksSoonAgainWhereATimerCouldNotBeSet() {
        List<Long> sleeps = new ArrayList<>();
        List<Thread> woken = new ArrayList<>();
        Timers full = new Timers(time, new Idle(sleeps, woken), () -> {});
        full.start("keeper");
        full.watch();
        FullTimers.of(full, 1, ERROR);
        assertThatThrownBy(() -> full.schedule(new Numbered(1), time.nanos())).isSameAs(ERROR);
        assertThat(woken).hasSize(1);
        full.watch();
        assertThat(sleeps.get(1)).isLessThanOrEqualTo(100_000_000).isLessThan(sleeps.get(0));
    }

    /** Threads that never run; those that sleep and are woken are noted. */
    private record Idle(List<Long> sleeps, List<Thread> woken) implements Threads {
        @Override
        public Thread start(String name, Runnable body) {
            return new Thread(body, name);
        }

        @Override
        public void park(Object blocker) {}

        @Override
        public void parkNanos(Object blocker, long nanos) {
            sleeps.add(nanos);
        }

        @Override
        public void unpark(@Nullable Thread thread) {
            if (thread != null) {
                woken.add(thread);
            }
        }
    }

    @Test
    void aTimerThatFailsStopsNoOther() {
        Runnable fails = () -> {
            throw new IllegalStateException("on purpose");
        };
        timers.schedule(Timers.Timer.of(fails), time.nanos());
        timers.schedule(new Numbered(1), time.nanos());
        timers.run();
        assertThat(fired).containsExactly(1);
    }

    @Test
    void ofTimersThatFailALineIsLoggedEveryFiveSeconds() {
        Runnable fails = () -> {
            throw new IllegalStateException("on purpose");
        };
        List<String> lines = Logged.during("A timer failed", () -> {
            for (int i = 0; i < 60; i++) {
                timers.schedule(Timers.Timer.of(fails), time.nanos());
                timers.run();
                time.advanceTo(time.nanos() + 100_000_000);
            }
        });
        assertThat(lines).hasSize(2);
    }
}
