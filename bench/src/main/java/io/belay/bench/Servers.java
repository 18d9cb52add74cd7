package io.belay.bench;

import io.belay.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts the server that all libraries use. */
final class Servers {
    private static final Pattern MAJOR = Pattern.compile("\\bv=(\\d+)\\.");
    private static final int SEVEN = 7;

    private Servers() {}

    /** The machine's own redis-server if it has one, else the one that comes from Maven. */
    static RedisServer redis() throws IOException, InterruptedException {
        Path program = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (program == null) {
            return RedisServer.start(RedisServer.Version.V7_0);
        }
        RedisServer.Version version = major(program) >= SEVEN ? RedisServer.Version.V7_0 : RedisServer.Version.V6_2;
        return RedisServer.builder(version).program(program).start();
    }

    private static int major(Path program) throws IOException {
        Process process = new ProcessBuilder(program.toString(), "--version").start();
        try (Stream<String> lines = process.inputReader().lines()) {
            Matcher matcher = MAJOR.matcher(lines.findFirst().orElse(""));
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : SEVEN;
        }
    }

    static String version(RedisServer server) throws IOException {
        return server.command("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("unknown");
    }
}
