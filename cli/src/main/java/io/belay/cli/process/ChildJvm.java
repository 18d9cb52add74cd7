package io.belay.cli.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A starter of Java programs from this program's class path. Everything they are told goes through their environment
 * or their input: anybody on the machine can read arguments. Their input ends with this process, which tells them to
 * end, too.
 */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * Starts a program; its error output is merged into its output.
     *
     * @param mainClass the program's main class
     * @param options JVM options, before those that the Java version needs
     * @param environment what to add to this process's environment
     */
    public static Process start(String mainClass, List<String> options, Map<String, String> environment)
            throws IOException {
        return start(mainClass, options, environment, List.of());
    }

    /**
     * Does the same with jars after this program's class path.
     *
     * @param jars those that this process has not on its class path
     */
    public static Process start(
            String mainClass, List<String> options, Map<String, String> environment, List<Path> jars)
            throws IOException {
        return start(mainClass, options, environment, jars, name -> false);
    }

    /**
     * Does the same without some variables of this process's environment.
     *
     * @param withheld tells by a variable's name whether it is one of those
     */
    public static Process start(
            String mainClass,
            List<String> options,
            Map<String, String> environment,
            List<Path> jars,
            Predicate<String> withheld)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(options);
        command.addAll(quietOptions());
        command.add(mainClass);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(withheld);
        builder.environment().put("CLASSPATH", classPath(jars));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Asks a process to end, and ends it if it does not. */
    public static void stop(Process process, long graceMillis) {
        process.destroy();
        try {
            if (!process.waitFor(graceMillis, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns options for JDK 24 and later, which warn of what libraries do; not all of them know the last option. */
    private static List<String> quietOptions() {
        return Runtime.version().feature() < 24
                ? List.of()
                : List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--sun-misc-unsafe-memory-access=allow");
    }

    private static String classPath(List<Path> jars) {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(Path.of(entry).toAbsolutePath().toString());
            }
        }
        jars.forEach(jar -> entries.add(jar.toAbsolutePath().toString()));
        return String.join(File.pathSeparator, entries);
    }
}
