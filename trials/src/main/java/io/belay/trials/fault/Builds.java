package io.belay.trials.fault;

import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The builds of Belay that the clients of a trial run: this one alone, or this one and another by turns. The other is one by its
 * jars of the library; what the trial itself is made of is this build's.
 */
public final class Builds {
    /** An artifact of the library, with whatever version: a snapshot's has none of the trials' own modules beside it. */
    private static final Pattern JAR = Pattern.compile("(belay(?:-[a-z]+)+)-\\d.*(?<!-tests)\\.jar");

    private final List<String> classPaths;

    private Builds(List<String> classPaths) {
        this.classPaths = classPaths;
    }

    /** Returns this build alone. */
    public static Builds one() {
        return new Builds(List.of(System.getProperty("java.class.path")));
    }

    /**
     * Returns this build and another.
     *
     * @param other a directory with the jars of Belay's modules, as {@code scripts/jars-of} makes it
     * @throws IOException if the directory cannot be read, or has no jar of the library
     */
    public static Builds two(Path other) throws IOException {
        return two(System.getProperty("java.class.path"), other);
    }

    static Builds two(String present, Path other) throws IOException {
        try (Stream<Path> files = Files.list(other)) {
            List<Path> jars = files.filter(file -> artifact(file).isPresent()).toList();
            String mixed = Arrays.stream(present.split(Pattern.quote(File.pathSeparator), -1))
                    .map(entry -> replaced(Path.of(entry), jars))
                    .collect(Collectors.joining(File.pathSeparator));
            if (mixed.equals(present)) {
                throw new IOException(
                        "no jar of Belay's modules in " + other + ": make them with scripts/jars-of COMMIT");
            }
            return new Builds(List.of(present, mixed));
        }
    }

    private static String replaced(Path entry, List<Path> others) {
        Optional<String> artifact = artifact(entry);
        return others.stream()
                .filter(other -> artifact.isPresent() && artifact(other).equals(artifact))
                .findFirst()
                .orElse(entry)
                .toString();
    }

    private static Optional<String> artifact(Path jar) {
        Matcher name = JAR.matcher(jar.getFileName().toString());
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    /** Returns the class path of a client. */
    String classPath(int client) {
        return classPaths.get(client % classPaths.size());
    }

    /**
     * Returns how often a lock went from a holder of this build to one of the other, and back. Both are to be more than zero, or
     * the trial has shown nothing of two builds.
     */
    public static List<Integer> handOvers(History history) {
        int there = 0;
        int back = 0;
        for (List<Hold> holds : history.holds().values()) {
            List<Hold> held = new ArrayList<>(holds);
            held.removeIf(hold -> !hold.wasHeld());
            for (int i = 1; i < held.size(); i++) {
                boolean fromThis = isThis(held.get(i - 1));
                boolean toThis = isThis(held.get(i));
                there += fromThis && !toThis ? 1 : 0;
                back += !fromThis && toThis ? 1 : 0;
            }
        }
        return List.of(there, back);
    }

    private static boolean isThis(Hold hold) {
        String client = hold.process().substring(0, hold.process().indexOf('.'));
        return Integer.parseInt(client) % 2 == 0;
    }
}
