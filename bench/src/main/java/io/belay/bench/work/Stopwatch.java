package io.belay.bench.work;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Takes the time, and the processor time of this process with it. */
final class Stopwatch {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final long begun = System.nanoTime();
    private final long cpuBegun = SYSTEM.getProcessCpuTime();

    Reading read() {
        return new Reading((System.nanoTime() - begun) / 1e9, (SYSTEM.getProcessCpuTime() - cpuBegun) / 1e9);
    }

    /** Since it was made. */
    record Reading(double seconds, double cpuSeconds) {}
}
