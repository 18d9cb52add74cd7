package io.belay.trials.jsr166;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A choice of tests: classes, and of each the methods; none means all. */
record Selection(Map<JdkTest, Set<String>> methods) {
    /**
     * Reads names of classes and of methods ({@code Class.method}); no names mean all classes.
     *
     * @throws IllegalArgumentException if there is no such class
     */
    static Selection of(List<String> names) {
        Map<JdkTest, Set<String>> methods = new EnumMap<>(JdkTest.class);
        for (String name : names.isEmpty() ? JdkTest.titles() : names) {
            String[] parts = name.split("\\.", 2);
            JdkTest test = JdkTest.of(parts[0])
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no test '" + name + "'; there are: " + String.join(", ", JdkTest.titles())));
            Set<String> known = methods.computeIfAbsent(test, key -> new TreeSet<>());
            if (parts.length > 1) {
                known.add(parts[1]);
            }
        }
        return new Selection(methods);
    }
}
