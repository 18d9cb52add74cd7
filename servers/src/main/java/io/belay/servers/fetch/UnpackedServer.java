package io.belay.servers.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory into which packages were unpacked. Its programs need the C library that lies beside them, as this
 * machine's may be too old; so each is started by the loader of that directory. A script stands in a program's place
 * which says so, and whoever starts it, also another program of the server's, sees no difference.
 */
final class UnpackedServer {
    /** The suffix of a program behind a script. */
    static final String PROGRAM = ".program";

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

    private final Path root;
    private final Path later;

    /** A server that lies in {@code root} and is to be moved to {@code later}. */
    UnpackedServer(Path root, Path later) {
        this.root = root;
        this.later = later;
    }

    /** Puts a script in the place of each program that is in machine code. */
    void makeStartable(List<String> programs) throws IOException {
        String start = "exec " + quoted(later.resolve(root.relativize(loader()))) + " --library-path "
                + libraries().stream()
                        .map(directory -> quoted(later.resolve(root.relativize(directory))))
                        .collect(Collectors.joining(":"));
        for (String program : programs) {
            Path file = root.resolve(program);
            if (!Files.exists(file)) {
                throw new IOException("the packages have no " + program);
            }
            if (isMachineCode(file)) {
                Files.move(file, root.resolve(program + PROGRAM));
                String path = quoted(later.resolve(program));
                String behind = quoted(later.resolve(program + PROGRAM));
                Files.writeString(file, "#!/bin/sh\n" + start + " --argv0 " + path + " " + behind + " \"$@\"\n");
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** The loader for this directory's libraries: {@code ld-linux-x86-64.so.2} and the like, and not one outside. */
    Path loader() throws IOException {
        for (Path directory : libraryDirectories()) {
            Optional<Path> loader = first(directory, "ld-linux-[^/]*\\.so\\.\\d+");
            if (loader.isPresent()) {
                return loader.get();
            }
        }
        throw new IOException("the packages have no loader ld-linux-*");
    }

    private List<Path> libraries() throws IOException {
        List<Path> libraries = new ArrayList<>();
        for (Path directory : libraryDirectories()) {
            if (first(directory, "[^/]*\\.so(\\.[0-9.]+)?").isPresent()) {
                libraries.add(directory);
            }
        }
        return libraries;
    }

    /** Returns the directories for libraries that do not lead out of the root, the machine's architecture first. */
    private List<Path> libraryDirectories() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String parent : List.of("usr/lib", "lib")) {
            if (Files.isDirectory(root.resolve(parent))) {
                try (Stream<Path> list = Files.list(root.resolve(parent))) {
                    list.filter(path -> path.getFileName().toString().contains("-linux-gnu"))
                            .sorted()
                            .forEach(all::add);
                }
            }
        }
        Stream.of("usr/lib64", "lib64", "usr/lib", "lib").map(root::resolve).forEach(all::add);
        List<Path> inside = new ArrayList<>();
        for (Path directory : all) {
            if (Files.isDirectory(directory) && isInside(directory)) {
                inside.add(directory);
            }
        }
        return inside;
    }

    private Optional<Path> first(Path directory, String pattern) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            for (Path path : list.sorted().toList()) {
                if (path.getFileName().toString().matches(pattern) && Files.isRegularFile(path) && isInside(path)) {
                    return Optional.of(path);
                }
            }
        }
        return Optional.empty();
    }

    private boolean isInside(Path path) throws IOException {
        return path.toRealPath().startsWith(root.toRealPath());
    }

    private static boolean isMachineCode(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ELF.length), ELF);
        }
    }

    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "'\\''") + "'";
    }
}
