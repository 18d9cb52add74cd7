package io.belay.cli.hammer;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The result of one process, which goes between the processes in one line of text.
 *
 * @param violations how often exclusion was seen broken
 * @param seconds how long the process measured
 * @param nanos what each acquisition took, in nanoseconds
 */
record WorkerResult(long violations, double seconds, Histogram nanos) {
    static WorkerResult of(List<HammerThread> threads, Exclusion exclusion, double seconds) {
        Histogram all = new Histogram(2);
        threads.forEach(thread -> all.add(thread.measured()));
        return new WorkerResult(exclusion.violations(), seconds, all);
    }

    long acquisitions() {
        return nanos.getTotalCount();
    }

    double perSecond() {
        return acquisitions() / seconds;
    }

    String print() {
        ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        return violations + " " + seconds + " " + Base64.getEncoder().encodeToString(bytes);
    }

    static WorkerResult parse(String line) {
        String[] parts = line.split(" ", -1);
        try {
            return new WorkerResult(
                    Long.parseLong(parts[0]),
                    Double.parseDouble(parts[1]),
                    Histogram.decodeFromCompressedByteBuffer(
                            ByteBuffer.wrap(Base64.getDecoder().decode(parts[2])), 0));
        } catch (DataFormatException e) {
            throw new IllegalStateException(e);
        }
    }
}
