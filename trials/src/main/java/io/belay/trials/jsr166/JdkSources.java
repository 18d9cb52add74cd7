package io.belay.trials.jsr166;

import io.belay.trials.jsr166.adapter.Adapters;
import io.belay.trials.jsr166.adapter.TestThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The unpacked sources of a JDK. They are only read: copies of the tests name adapters instead of JDK classes, make their
 * threads by {@link TestThreads}, and let it say whether a thread waits as it is to.
 */
final class JdkSources {
    private static final String FOLDER = "test/jdk/java/util/concurrent";
    private static final String COMMON = "JSR166TestCase.java";
    private static final String ADAPTERS = Adapters.class.getPackageName();
    private static final String THREADS = TestThreads.class.getName();
    private static final Pattern NEW_THREAD = Pattern.compile("\\bnew Thread\\(");
    /** The look at a thread's state, in the class that all tests have in common. */
    private static final String STATE = "if (s == expected)";

    private final Path concurrent;

    private JdkSources(Path concurrent) {
        this.concurrent = concurrent;
    }

    /**
     * Finds the tests in a directory.
     *
     * @throws IllegalArgumentException if they are not there
     */
    static JdkSources in(Path directory) {
        Path concurrent = directory.resolve(FOLDER);
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("there is no directory " + directory);
        } else if (!Files.isRegularFile(concurrent.resolve("tck").resolve(COMMON))) {
            throw new IllegalArgumentException(
                    directory + " does not hold the sources of a JDK: it has no " + FOLDER + "/tck/" + COMMON);
        }
        return new JdkSources(concurrent);
    }

    /** Writes what a test is compiled from, and returns the files. */
    List<Path> copy(JdkTest test, Path to) throws IOException {
        Files.createDirectories(to);
        String text = read(test.folder(), test.title() + ".java");
        for (String name : test.replaced()) {
            if (!text.contains(importOf(name))) {
                throw new IOException(test.title() + " has no line '" + importOf(name) + "' to change");
            }
        }
        Path copy = Files.writeString(to.resolve(test.title() + ".java"), adapted(text, test));
        if (test.isProgram()) {
            return List.of(copy, Files.writeString(to.resolve("Utils.java"), UTILS));
        }
        String common = read("tck", COMMON);
        if (!common.contains(STATE)) {
            throw new IOException(COMMON + " has no line '" + STATE + "' to change");
        }
        return List.of(
                copy,
                Files.writeString(to.resolve(COMMON), adapted(common, test)),
                Files.writeString(to.resolve("Item.java"), read("tck", "Item.java")),
                Files.writeString(to.resolve("Others.java"), others(test)));
    }

    private String read(String folder, String file) throws IOException {
        return Files.readString(concurrent.resolve(folder).resolve(file));
    }

    static String adapted(String text, JdkTest test) {
        String adapted = text;
        for (String name : test.replaced()) {
            String simple = name.substring(name.lastIndexOf('.') + 1);
            adapted = adapted.replace(importOf(name), "import " + ADAPTERS + "." + simple + ";");
        }
        return NEW_THREAD
                .matcher(adapted)
                .replaceAll(THREADS + ".make(")
                .replace("Executors.newFixedThreadPool(", THREADS + ".pool(")
                .replace(STATE, "if (" + THREADS + ".waits(s, expected))");
    }

    private static String importOf(String name) {
        return "import java.util.concurrent." + name + ";";
    }

    /** Makes empty classes for the tests that are not run, since the common class of all tests names them. */
    private String others(JdkTest test) throws IOException {
        try (Stream<Path> files = Files.list(concurrent.resolve("tck"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("Test.java") && !file.equals(test.title() + ".java"))
                    .map(file -> file.substring(0, file.indexOf('.')))
                    .sorted()
                    .map(name -> "class " + name + " { static junit.framework.Test suite() { return null; } }\n")
                    .collect(Collectors.joining());
        }
    }

    /** A stand-in for the JDK's library for tests, of which the program uses this alone. */
    private static final String UTILS = """
            package jdk.test.lib;

            public class Utils {
                public static long adjustTimeout(long millis) {
                    return millis;
                }
            }
            """;
}
