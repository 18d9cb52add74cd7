package io.belay.servers;

import io.belay.servers.fetch.FetchedServer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The programs: taken out of their jars once per JVM, or the one that {@code BELAY_SERVERS} names. */
final class RedisBinary {
    private static final Map<RedisServer.Version, Path> UNPACKED = new EnumMap<>(RedisServer.Version.class);

    private RedisBinary() {}

    static synchronized Path of(RedisServer.Version version) throws IOException {
        Optional<Path> chosen = version == RedisServer.Version.V7_0 ? chosen() : Optional.empty();
        if (chosen.isPresent()) {
            return chosen.get();
        }
        Path program = UNPACKED.get(version);
        if (program == null) {
            program = unpack(resource(version, System.getProperty("os.name"), System.getProperty("os.arch")));
            UNPACKED.put(version, program);
        }
        return program;
    }

    /** The later version, or the server like it, that {@code BELAY_SERVERS} names. */
    private static Optional<Path> chosen() {
        return FetchedServer.chosenFor("redis-server")
                .map(server -> server.program("redis-server"))
                .or(() -> FetchedServer.chosenFor("valkey-server").map(server -> server.program("valkey-server")));
    }

    static String resource(RedisServer.Version version, String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String arch = switch (osArch) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> osArch;
        };
        String platform = os + "-" + arch;
        String number = switch (version) {
            case V6_2 -> platform.equals("linux-arm64") ? "6.2.7" : "6.2.6-v5";
            case V7_0 -> "7.0.15";
        };
        return "/redis-server-" + number + "-" + platform;
    }

    private static Path unpack(String resource) throws IOException {
        Path program = Leftovers.directory("belay-redis-binary-").resolve("redis-server");
        try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new FileNotFoundException("no Redis for this machine: " + resource);
            }
            Files.copy(in, program);
        }
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program;
    }
}
