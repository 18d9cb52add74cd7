package io.belay.server;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Samples of a server's clock beside the clocks of this process: they show how far it is off, and whether it steps
 * or runs at another rate than time does. For stores that count leases by their server's clock.
 */
public final class ClockSamples {
    private static final int COUNT = 6;
    private static final long OFF_MICROS = 1_000_000;

    /** The time that a client takes off a lease of one second, and off one of 30 s, in microseconds: see Drift. */
    private static final long SHORT_MARGIN = 12_000;

    private static final long USUAL_MARGIN = 302_000;

    /**
     * A question to the server.
     *
     * @param <E> what it throws
     */
    public interface Question<E extends Exception> {
        /** Asks for the server's time, in microseconds since 1970. */
        long micros() throws E;
    }

    /** The clocks of this process. */
    interface Local {
        long nanos();

        long micros();

        void pause(Duration time) throws InterruptedException;
    }

    /** The answer {@code there}, and the local times, in microseconds, from before and after it. */
    private record Sample(long there, long before, long after, long wall) {
        long uncertainty() {
            return (after - before + 1) / 2;
        }

        long ahead() {
            return there - wall - uncertainty();
        }
    }

    private final List<Sample> samples = new ArrayList<>();
    private final long resolution;

    private ClockSamples(Duration resolution) {
        this.resolution = resolution.toNanos() / 1000;
    }

    /**
     * Asks several times.
     *
     * @param resolution the least step that the server's clock shows
     * @param span how long to look, besides the time that the answers take
     */
    public static <E extends Exception> ClockSamples take(Question<E> question, Duration resolution, Duration span)
            throws E {
        return take(question, resolution, span, new SystemClocks());
    }

    static <E extends Exception> ClockSamples take(
            Question<E> question, Duration resolution, Duration span, Local local) throws E {
        Objects.requireNonNull(question, "question");
        Objects.requireNonNull(resolution, "resolution");
        Objects.requireNonNull(span, "span");
        ClockSamples taken = new ClockSamples(resolution);
        Duration pause = span.dividedBy(COUNT - 1);
        try {
            while (taken.samples.size() < COUNT) {
                if (!taken.samples.isEmpty()) {
                    local.pause(pause);
                }
                long wall = local.micros();
                long before = local.nanos() / 1000;
                long there = question.micros();
                taken.samples.add(new Sample(there, before, local.nanos() / 1000, wall));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // what was seen until now is told
        }
        return taken;
    }

    /** Returns what is wrong with the clock. */
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        long forward = 0;
        long back = 0;
        for (int i = 0; i < samples.size(); i++) {
            for (Sample later : samples.subList(i + 1, samples.size())) {
                Sample first = samples.get(i);
                long there = later.there - first.there;
                forward = Math.max(forward, there - (later.after - first.before) - resolution);
                back = Math.max(back, later.before - first.after - there - resolution);
            }
        }
        if (forward > SHORT_MARGIN) {
            findings.add(stepped(forward));
        }
        if (back > SHORT_MARGIN) {
            findings.add(Finding.of(
                    back > USUAL_MARGIN ? Severity.WARNING : Severity.NOTE,
                    "clock",
                    "The server's clock fell back by " + back / 1000 + " ms while it was looked at, so the leases of"
                            + " clients that die last longer by as much.",
                    "Let NTP slew the clock there and not step it, and see what else sets it."));
        }
        offset(findings);
        return findings;
    }

    private static Finding stepped(long micros) {
        long lease = (micros - 2000) / 10_000;
        return Finding.of(
                micros > USUAL_MARGIN ? Severity.DANGER : Severity.WARNING,
                "clock",
                "The server's clock ran ahead by " + micros / 1000 + " ms while it was looked at: a lease of less than "
                        + lease
                        + " s that ends early by as much leaves its lock with two holders until the first one is"
                        + " told.",
                "Let NTP slew the clock there and not step it, and see what else sets it.");
    }

    private void offset(List<Finding> findings) {
        // The shortest round trip tells most.
        samples.stream()
                .min((one, other) -> Long.compare(one.uncertainty(), other.uncertainty()))
                .filter(best -> Math.abs(best.ahead()) - best.uncertainty() - resolution > OFF_MICROS)
                .ifPresent(best -> findings.add(Finding.of(
                        Severity.NOTE,
                        "clock",
                        "The server's clock is " + Math.abs(best.ahead()) / 1000 + " ms (give or take "
                                + ((best.uncertainty() + resolution) / 1000 + 1) + ") "
                                + (best.ahead() > 0 ? "ahead of" : "behind")
                                + " this machine's: leases do not depend on it, but tokens rise over a fail-over only if"
                                + " the servers' clocks agree.",
                        "Set the clocks of all machines by NTP.")));
    }

    private static final class SystemClocks implements Local {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long micros() {
            return System.currentTimeMillis() * 1000;
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis());
        }
    }
}
