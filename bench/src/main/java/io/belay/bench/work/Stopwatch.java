package io.belay.bench.work;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** A stopwatch that takes the time, and the processor time of this process with it. */
final class Stopwatch {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final long begun = System.nanoTime();
    private final long cpuBegun = SYSTEM.getProcessCpuTime();

    Reading read() {
        return new Reading((System.nanoTime() - begun) / 1e9, (SYSTEM.getProcessCpuTime() - cpuBegun) / 1e9);
    }

    /** The times since the stopwatch was made, in seconds. */
    record Reading(double seconds, double cpuSeconds) {}
}
