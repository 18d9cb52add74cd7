package io.belay.bench.library;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A checkout of Belay.
 *
 * @param root its directory
 */
public record Checkout(Path root) {
    private static final String BELAY = "belay-";
    private static final String BENCH = "belay-bench";

    /** Returns the checkout that this process runs from. */
    public static Checkout own() {
        return new Checkout(Path.of(System.getProperty("belay.root", ".")));
    }

    /** Returns whether bench/run has built the checkout, so that its jars are there. */
    public boolean isBuilt() {
        return jars().stream().anyMatch(jar -> artifact(jar).startsWith(BELAY));
    }

    /** Returns the commit in a line, as the report names it. */
    public String commit() {
        String commit = git("describe", "--always", "--dirty", "--exclude=*");
        return commit.isEmpty() ? "no commit that git knows" : commit + " (" + git("log", "-1", "--format=%s") + ")";
    }

    /**
     * Returns the class path on which this process's benchmark runs with the Belay of that checkout, and with the
     * versions of other libraries with which that Belay was built. Jars that only this benchmark needs are still
     * there, after the rest.
     */
    String classPath() {
        // All of them: there may be several of one name, as for processors of several kinds.
        List<Path> chosen =
                jars().stream().filter(jar -> !artifact(jar).equals(BENCH)).toList();
        Set<String> artifacts = chosen.stream().map(Checkout::artifact).collect(Collectors.toSet());
        List<String> entries =
                new ArrayList<>(chosen.stream().map(Path::toString).toList());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String artifact = artifact(Path.of(entry));
            // A module that the other build does not have yet would bring classes that do not fit its core.
            boolean ours = artifact.startsWith(BELAY) && !artifact.equals(BENCH);
            if (!ours && !artifacts.contains(artifact)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private List<Path> jars() {
        Path lib =
                newest(List.of("bench/target/dist", "bench/target/quick/dist")).resolve("lib");
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(lib, "*.jar")) {
            files.forEach(jars::add);
        } catch (IOException e) {
            return List.of();
        }
        return jars.stream().sorted().toList();
    }

    /** Returns the directory whose build, by the stamp in it, is the newest; the first if none has one. */
    private Path newest(List<String> directories) {
        return directories.stream()
                .map(root.toAbsolutePath().normalize()::resolve)
                .max(Comparator.comparingLong(
                        directory -> directory.resolve(".built").toFile().lastModified()))
                .orElseThrow();
    }

    /** Returns a jar's name without its version; of a module whose classes Maven has not packed yet, what its jar will have. */
    private static String artifact(Path jar) {
        if (Files.isDirectory(jar)) {
            for (Path at = jar.toAbsolutePath().normalize(); at.getParent() != null; at = at.getParent()) {
                if (at.endsWith("target")) {
                    return BELAY + at.getParent().getFileName();
                }
            }
        }
        return String.valueOf(jar.getFileName()).replaceFirst("-\\d.*", "");
    }

    /** Returns what git prints; empty if there is no git, or git knows nothing of the directory. */
    private String git(String... words) {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            return "";
        }
    }
}
