package io.belay.bench.store;

import io.belay.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server of Redis: the machine's own redis-server if it has one, else the one that comes from Maven. */
final class RedisStore implements MeasuredServer {
    private static final Pattern MAJOR = Pattern.compile("\\bv=(\\d+)\\.");
    private static final int SEVEN = 7;
    private static final double MEGABYTE = 1 << 20;

    private final RedisServer server;

    private RedisStore(RedisServer server) {
        this.server = server;
    }

    static RedisStore start() throws IOException, InterruptedException {
        Path program = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (program == null) {
            return new RedisStore(RedisServer.start(RedisServer.Version.V7_0));
        }
        RedisServer.Version version = major(program) >= SEVEN ? RedisServer.Version.V7_0 : RedisServer.Version.V6_2;
        return new RedisStore(RedisServer.builder(version).program(program).start());
    }

    private static int major(Path program) throws IOException {
        Process process = new ProcessBuilder(program.toString(), "--version").start();
        try (Stream<String> lines = process.inputReader().lines()) {
            Matcher matcher = MAJOR.matcher(lines.findFirst().orElse(""));
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : SEVEN;
        }
    }

    @Override
    public String version() throws IOException {
        return field(server.command("INFO", "server"), "redis_version").orElse("unknown");
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public void clear() throws IOException {
        server.command("FLUSHALL");
    }

    @Override
    public ServerFigures figures() throws IOException {
        String info = server.command("INFO", "everything");
        return new ServerFigures(
                number(info, "used_cpu_user") + number(info, "used_cpu_sys"),
                number(info, "used_memory") / MEGABYTE,
                keys());
    }

    @Override
    public long keys() throws IOException {
        return Long.parseLong(server.command("DBSIZE").trim());
    }

    private static double number(String info, String name) {
        return field(info, name).map(Double::parseDouble).orElse(Double.NaN);
    }

    private static Optional<String> field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).trim())
                .findFirst();
    }

    @Override
    public void close() {
        server.close();
    }
}
