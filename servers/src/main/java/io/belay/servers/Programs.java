package io.belay.servers;

import io.belay.servers.fetch.FetchedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs of this machine that servers are started with. */
final class Programs {
    private static final Path POSTGRES = Path.of("/usr/lib/postgresql");

    private Programs() {}

    /**
     * The directory of the server that was chosen for these programs by {@code BELAY_SERVERS}. Where none was, the
     * first directory of the PATH, or of those that Debian keeps servers in, that has all of them.
     */
    static Optional<Path> directoryOf(String... programs) {
        Optional<FetchedServer> chosen = FetchedServer.chosenFor(programs);
        if (chosen.isPresent()) {
            // If it is not there, no other runs in its place: what was chosen is what is tested.
            return chosen.filter(FetchedServer::isThere)
                    .map(server -> server.program(programs[0]).getParent());
        }
        return directories()
                .filter(directory ->
                        Arrays.stream(programs).allMatch(program -> Files.isExecutable(directory.resolve(program))))
                .findFirst();
    }

    /** Returns the path of a program. @throws IllegalStateException with the package to install, if it is nowhere */
    static String find(String program, String debianPackage) {
        return directoryOf(program)
                .map(directory -> directory.resolve(program).toString())
                .orElseThrow(() -> missing(program, debianPackage));
    }

    static IllegalStateException missing(String program, String debianPackage) {
        return new IllegalStateException(program + " is missing: install it (Debian: apt-get install " + debianPackage
                + "), or ask isInstalled() first");
    }

    /** Returns whether this process runs as root, which some servers refuse to do. */
    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static Stream<Path> directories() {
        List<Path> all = new ArrayList<>();
        for (String path : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            all.add(Path.of(path));
        }
        all.add(Path.of("/usr/sbin"));
        all.addAll(postgres());
        return all.stream();
    }

    /** Returns the directories of Debian's PostgreSQL, one for each version, the newest first. */
    private static List<Path> postgres() {
        if (!Files.isDirectory(POSTGRES)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(POSTGRES)) {
            return versions.filter(version -> version.getFileName().toString().matches("\\d{1,4}"))
                    .sorted(Comparator.comparing((Path version) ->
                                    Integer.valueOf(version.getFileName().toString()))
                            .reversed())
                    .map(version -> version.resolve("bin"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
