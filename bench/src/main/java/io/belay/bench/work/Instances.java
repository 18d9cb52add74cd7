package io.belay.bench.work;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** A count of the objects of a class that there are in this JVM. */
final class Instances {
    private Instances() {}

    static long of(String className) throws JMException {
        String[] none = {};
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {none},
                        new String[] {String[].class.getName()});
        // A line is "rank: instances bytes class", with the module behind it.
        return String.valueOf(histogram)
                .lines()
                .map(line -> line.trim().split("\\s+", -1))
                .filter(words -> words.length >= 4 && words[3].equals(className))
                .mapToLong(words -> Long.parseLong(words[1]))
                .sum();
    }
}
