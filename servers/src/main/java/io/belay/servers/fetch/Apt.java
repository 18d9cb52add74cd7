package io.belay.servers.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An apt with state directories of its own, for which nothing is installed: it finds all that a package needs,
 * down to the C library, and downloads it. The machine's own state is neither read nor changed, but for its
 * package sources, its keys and how it reaches them.
 */
final class Apt {
    private static final Duration LIMIT = Duration.ofMinutes(8);
    private static final Pattern PLANNED = Pattern.compile("'[^']+' (\\S+) (\\d+) .*");
    private static final Pattern CODENAME = Pattern.compile("(?m)^VERSION_CODENAME=\"?([a-z]+)\"?$");

    private final Path directory;
    private final String suite;
    private final Commands commands;
    private @Nullable IOException incomplete;

    /** A package that has to be downloaded: {@code libc6_2.41-12_amd64.deb}, in which a colon is {@code %3a}. */
    record Package(String file, long bytes) {
        String name() {
            return file.split("_", -1)[0];
        }

        String version() {
            return file.split("_", -1)[1].replace("%3a", ":");
        }
    }

    /**
     * An apt in an empty directory, which is the caller's to delete.
     *
     * @param path where its programs are looked for, as in the variable {@code PATH}
     */
    Apt(Path directory, String suite, String path) throws IOException {
        this.directory = directory;
        this.suite = suite;
        for (String made : List.of("lists/partial", "archives/partial", "sources")) {
            Files.createDirectories(directory.resolve(made));
        }
        Files.createFile(directory.resolve("status"));
        commands = new Commands(path, directory.resolve("log"), LIMIT);
        commands.find("dpkg-deb");
    }

    /** Reads the suite's list of packages, from the sources of such a directory as {@code /etc/apt}. */
    void update(Path etc) throws IOException, InterruptedException {
        new AptSources(releases(), suite).rewrite(etc, directory.resolve("sources"));
        try {
            run("update");
        } catch (IOException e) {
            // One of the sources may be somebody's who has no such suite, and another may have all that is needed.
            incomplete = e;
        }
    }

    private static Set<String> releases() throws IOException {
        Set<String> releases = new TreeSet<>(Set.of("oldstable", "stable", "testing", "unstable", "sid"));
        Path file = Path.of("/etc/os-release");
        Matcher codename = CODENAME.matcher(Files.exists(file) ? Files.readString(file) : "");
        if (codename.find()) {
            releases.add(codename.group(1));
        }
        return releases;
    }

    /** Returns what has to be downloaded: these packages and all that they need. */
    List<Package> plan(List<String> packages) throws IOException, InterruptedException {
        try {
            return planned(run(packages, "-qq", "--print-uris", "install"));
        } catch (IOException e) {
            throw incomplete == null ? e : incomplete;
        }
    }

    static List<Package> planned(String output) {
        return output.lines()
                .map(PLANNED::matcher)
                .filter(Matcher::matches)
                .map(line -> new Package(line.group(1), Long.parseLong(line.group(2))))
                .toList();
    }

    /** Downloads what was planned. Apt checks each file by the signed list. */
    List<Path> download(List<String> packages, List<Package> planned) throws IOException, InterruptedException {
        run(packages, "-qq", "-y", "--download-only", "install");
        List<Path> files = new ArrayList<>();
        for (Package one : planned) {
            Path file = directory.resolve("archives").resolve(one.file());
            if (!Files.exists(file) || Files.size(file) != one.bytes()) {
                throw new IOException("apt-get did not download " + one.file());
            }
            files.add(file);
        }
        return files;
    }

    /** Unpacks a package. Nothing that is in it is run. */
    void unpack(Path file, Path root) throws IOException, InterruptedException {
        commands.run("dpkg-deb", List.of("-x", file.toString(), root.toString()));
    }

    private String run(String... words) throws IOException, InterruptedException {
        return run(List.of(), words);
    }

    private String run(List<String> packages, String... words) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>();
        for (String option : List.of(
                "Dir::State=" + directory,
                "Dir::State::status=" + directory.resolve("status"),
                "Dir::Cache=" + directory,
                "Dir::Etc::sourcelist=/dev/null",
                "Dir::Etc::sourceparts=" + directory.resolve("sources"),
                // What is preferred on this machine is meant for its own release.
                "Dir::Etc::preferences=/dev/null",
                "Dir::Etc::preferencesparts=/dev/null",
                "APT::Default-Release=",
                "APT::Install-Recommends=false",
                // Another user could not write here, and nobody else uses these directories.
                "APT::Sandbox::User=",
                "Debug::NoLocking=true",
                "Acquire::Retries=2",
                "Acquire::http::Timeout=30",
                "Acquire::https::Timeout=30")) {
            arguments.addAll(List.of("-o", option));
        }
        arguments.addAll(List.of(words));
        arguments.addAll(packages);
        return commands.run("apt-get", arguments);
    }
}
