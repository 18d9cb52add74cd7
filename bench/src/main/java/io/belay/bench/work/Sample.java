package io.belay.bench.work;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The figures that one process measured in one round, which go between processes in one line of text.
 *
 * @param nanos what each operation took, in nanoseconds; empty if they were not timed one by one
 * @param perSecond operations per second; NaN if that has no meaning
 * @param cpuSeconds the processor time that the process used
 * @param violations how often exclusion was seen broken
 * @param figures what the case counts besides
 */
public record Sample(
        Histogram nanos, double perSecond, double cpuSeconds, long violations, Map<String, Double> figures) {
    private static final int DIGITS = 3;
    /** The longest time that a recorder has room for, in nanoseconds. */
    private static final long LONGEST = TimeUnit.HOURS.toNanos(1);

    static Histogram histogram() {
        return new Histogram(DIGITS);
    }

    /**
     * Makes a recorder for any number of threads. Its range is fixed: a recorder that grows while several threads
     * record may say less of its range than it has, and cannot be read then.
     */
    static Recorder recorder() {
        return new Recorder(LONGEST, DIGITS);
    }

    /** Makes the sample of operations that were timed, so that their number tells how many there were. */
    static Sample timed(Histogram nanos, Stopwatch.Reading reading, long violations) {
        return new Sample(nanos, nanos.getTotalCount() / reading.seconds(), reading.cpuSeconds(), violations, Map.of());
    }

    Sample with(Map<String, Double> more) {
        return new Sample(nanos, perSecond, cpuSeconds, violations, more);
    }

    /** Returns the sample as a line. */
    public String print() {
        ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        return perSecond + " " + cpuSeconds + " " + violations + " "
                + Base64.getEncoder().encodeToString(bytes) + " " + print(figures);
    }

    /**
     * Reads {@link #print}'s line.
     *
     * @throws IllegalArgumentException if the line is no sample
     */
    public static Sample parse(String line) {
        String[] parts = line.split(" ", 5);
        try {
            return new Sample(
                    Histogram.decodeFromCompressedByteBuffer(
                            ByteBuffer.wrap(Base64.getDecoder().decode(parts[3])), 0),
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    Long.parseLong(parts[2]),
                    parseFigures(parts[4]));
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("what was measured cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns figures with their names, in one line. */
    public static String print(Map<String, Double> figures) {
        StringJoiner line = new StringJoiner(" ");
        figures.forEach((name, value) -> line.add(name + "=" + value));
        return line.toString();
    }

    /** Reads {@link #print(Map)}'s line. */
    public static Map<String, Double> parseFigures(String line) {
        Map<String, Double> figures = new TreeMap<>();
        for (String part : line.split(" ", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                figures.put(part.substring(0, equals), Double.valueOf(part.substring(equals + 1)));
            }
        }
        return figures;
    }
}
