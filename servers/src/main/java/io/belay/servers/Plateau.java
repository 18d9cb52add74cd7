package io.belay.servers;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Samples what a leak would raise, and demands that the second half of the samples is no higher than the first: what is
 * compared is the lowest of either half, since what is going on at the moment raises a sample and nothing lowers it.
 */
public final class Plateau {
    /**
     * The bytes that live heap may rise by: code that runs for the first time, buffers that grow to their size,
     * caches of the JVM and of the driver. A leak of 100 bytes in each of ten thousand operations is as much.
     */
    private static final long HEAP = 1 << 20;

    /**
     * The number that counts may rise by: a pool may have a thread more, a connection may just be made anew. In
     * each half several clients are opened and closed, so one thread, file or connection left by each is found.
     */
    private static final long COUNT = 2;

    private final List<Map<String, Long>> samples = new ArrayList<>();

    /** Takes a sample; {@code more} are counts besides those of this JVM. */
    public void sample(Map<String, Long> more) {
        Map<String, Long> levels = new TreeMap<>(more);
        levels.put("heap", liveHeap());
        levels.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            levels.put("files", system.getOpenFileDescriptorCount());
        }
        samples.add(levels);
    }

    /**
     * Returns what a collection has left of the heap: what is used now would count what each thread has set aside since to
     * allocate from, a megabyte or more.
     */
    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull) // there is no collector for what is outside of the heap
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    /** Throws an AssertionError that shows all samples if anything has risen. */
    public void assertFlat() {
        int half = samples.size() / 2;
        if (half == 0) {
            throw new AssertionError("there are no samples to compare");
        }
        for (String what : samples.get(0).keySet()) {
            long before = lowest(what, samples.subList(0, half));
            long after = lowest(what, samples.subList(half, samples.size()));
            if (after - before > (what.equals("heap") ? HEAP : COUNT)) {
                throw new AssertionError(what + " rose from " + before + " to " + after + "; all samples: "
                        + samples.stream().map(sample -> sample.get(what)).toList());
            }
        }
    }

    private static long lowest(String what, List<Map<String, Long>> of) {
        return of.stream().mapToLong(sample -> sample.get(what)).min().orElseThrow();
    }

    @Override
    public String toString() {
        return samples.isEmpty() ? "no samples" : samples.get(0) + " ... " + samples.get(samples.size() - 1);
    }
}
