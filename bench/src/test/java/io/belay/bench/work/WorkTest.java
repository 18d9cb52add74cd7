package io.belay.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Held;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.library.Locks;
import io.belay.bench.library.Mutex;
import io.belay.bench.library.ReadWriteLocks;
import io.belay.bench.library.Semaphores;
import io.belay.bench.library.Site;
import io.belay.bench.library.TryMutex;
import io.belay.bench.report.MarkdownReport;
import io.belay.bench.report.Outcome;
import io.belay.bench.store.Store;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkTest {
    /** How long two that are inside may take to be noticed: one is stopped at any instant, or both run at once. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    @Test
    void samplesPassBetweenProcessesAsALine() {
        Histogram nanos = Sample.histogram();
        nanos.recordValue(1_000);
        nanos.recordValue(2_000_000);
        Sample sample = new Sample(nanos, 12.5, Double.NaN, 3, Map.of("leases", 7.0, "lost", 0.0));
        Sample read = Sample.parse(sample.print());
        assertThat(read.nanos()).isEqualTo(nanos);
        assertThat(read.perSecond()).isEqualTo(12.5);
        assertThat(read.cpuSeconds()).isNaN();
        assertThat(read.violations()).isEqualTo(3);
        assertThat(read.figures()).isEqualTo(sample.figures());
        assertThat(Sample.parse(sample.with(Map.of()).print()).figures()).isEmpty();
    }

    @Test
    void whatManyThreadsHaveRecordedCanBeRead() {
        Recorder recorder = Sample.recorder();
        recorder.recordValue(TimeUnit.HOURS.toNanos(1));
        Histogram nanos = recorder.getIntervalHistogram();
        assertThat(nanos.isAutoResize()).as("what grows may be told wrongly").isFalse();
        Sample sample = new Sample(nanos, 1, 1, 0, Map.of());
        assertThat(Sample.parse(sample.print()).nanos().getTotalCount()).isEqualTo(1);
    }

    @Test
    void whatNobodyCanReadIsSaid() {
        String line = new Sample(Sample.histogram(), 1, 1, 0, Map.of()).print();
        assertThatThrownBy(() -> Sample.parse(line.substring(0, line.length() / 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("what was measured cannot be read: ");
    }

    @Test
    void twoProcessesInsideAreNoticed(@TempDir Path directory) {
        LongAdder violations = new LongAdder();
        Path file = directory.resolve("shared");
        Exclusion one = new Exclusion(SharedMemory.map(file), 5, violations);
        Exclusion other = new Exclusion(SharedMemory.map(file), 5, violations);
        one.enter(1);
        one.leave(1);
        other.enter(2);
        other.leave(2);
        assertThat(violations.sum()).isZero();
        one.enter(1);
        other.enter(2);
        assertThat(violations.sum()).isEqualTo(1);
        one.leave(1);
        assertThat(violations.sum()).isEqualTo(2);
    }

    @Test
    void moreThanThereIsRoomForAreNoticed(@TempDir Path directory) {
        LongAdder violations = new LongAdder();
        Path file = directory.resolve("shared");
        Occupancy one = new Occupancy(SharedMemory.map(file), 4, 2, violations);
        Occupancy other = new Occupancy(SharedMemory.map(file), 4, 2, violations);
        one.enter(0, 1);
        other.enter(2, 1);
        one.leave(0);
        one.enter(1, 1);
        assertThat(violations.sum()).isZero();
        other.enter(3, 1);
        assertThat(violations.sum()).isEqualTo(1);
        other.leave(3);
        other.leave(2);
        // A writer, beside a reader.
        other.enter(3, 2);
        assertThat(violations.sum()).isEqualTo(2);
    }

    /** Of those in which several processes want the same: where there is one alone, nobody is inside who must not be. */
    @Test
    void theCasesCheckExclusionThatAreSaidTo(@TempDir Path directory) throws Exception {
        String page = MarkdownReport.of(new Outcome(Store.REDIS, Map.of(), 1, 1, List.of()));
        Matcher unchecked = Pattern.compile("(?s)Every case but (.*?)\\schecks").matcher(page);
        assertThat(unchecked.find()).isTrue();
        List<Case> checked = Cases.all().stream()
                .filter(task -> task.processes() > 1 && !unchecked.group(1).contains("`" + task.name() + "`"))
                .toList();
        assertThat(checked).hasSizeGreaterThan(5);
        for (Case task : checked) {
            assertThat(isNoticed(task, directory.resolve(task.name())))
                    .as(task.name())
                    .isTrue();
        }
    }

    /** Returns whether a case's processes notice that their lock lets everybody in. */
    private static boolean isNoticed(Case task, Path shared) throws Exception {
        List<Workload> processes = new ArrayList<>();
        for (int number = 0; number < task.processes(); number++) {
            processes.add(task.work(new WorkContext(new Open(), task.name(), number, SharedMemory.map(shared), 1)));
            processes.get(number).start();
        }
        long violations = 0;
        for (long end = System.nanoTime() + PATIENCE; violations == 0 && System.nanoTime() - end < 0; ) {
            for (Workload process : processes) {
                violations += process.measure(Duration.ofMillis(10)).violations();
            }
        }
        for (Workload process : processes) {
            process.stop();
        }
        return violations > 0;
    }

    /** Locks, permits and locks for readers and writers that let everybody in. */
    private record Open() implements Locks, Semaphores, ReadWriteLocks, TryMutex, Held {
        @Override
        public Mutex mutex(String name) {
            return this;
        }

        @Override
        public Mutex permit(String name, int permits) {
            return this;
        }

        @Override
        public Mutex reader(String name) {
            return this;
        }

        @Override
        public Mutex writer(String name) {
            return this;
        }

        @Override
        public Held acquire() {
            return this;
        }

        @Override
        public Held tryAcquire() {
            return this;
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void release() {}

        @Override
        public void close() {}
    }

    @Test
    void aCrowdGivesEachNumberToTheSameThread() throws Exception {
        long[] first = new long[20];
        long[] second = new long[20];
        try (Crowd crowd = new Crowd(3)) {
            crowd.forEach(20, i -> first[i] = Thread.currentThread().getId());
            crowd.forEach(20, i -> second[i] = Thread.currentThread().getId());
        }
        assertThat(second).isEqualTo(first).doesNotContain(0);
    }

    @Test
    void whatIsMeasuredOnceCanBeMeasuredAgain(@TempDir Path directory) throws Exception {
        Library library = Libraries.get(Store.REDIS, "jdk-fair");
        try (Locks locks = library.open(new Site(URI.create("redis://none"), directory))) {
            WorkContext context =
                    new WorkContext(locks, "again", 0, SharedMemory.map(directory.resolve("shared")), 1e-5);
            for (Workload load : List.of(new RenewalLoad(context), new NameLoad(context))) {
                for (int round = 0; round < 2; round++) {
                    load.start();
                    assertThat(load.measure(Duration.ofMillis(1)).figures()).isNotEmpty();
                    assertThat(load.stop().getOrDefault("leasesLost", 0.0)).isZero();
                }
            }
        }
    }

    @Test
    void instancesAreCounted() throws Exception {
        List<Counted> three = List.of(new Counted(1), new Counted(2), new Counted(3));
        assertThat(Instances.of(Counted.class.getName())).isEqualTo(three.size());
        assertThat(Instances.of("no.such.Class")).isZero();
    }

    private record Counted(int number) {}
}
