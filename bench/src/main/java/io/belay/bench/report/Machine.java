package io.belay.bench.report;

import io.belay.bench.store.Store;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The machine and what runs on it, as far as that matters for speed, without the names of host and user. */
public final class Machine {
    private static final Path CPU = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path RELEASE = Path.of("/etc/os-release");
    private static final double KILOBYTES_OF_GIGABYTE = 1 << 20;

    private Machine() {}

    /** Returns what this machine is, in the order in which the report shows it. */
    public static Map<String, Object> describe(Store store, String server, String java) {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("cpu", value(CPU, "model name", ":", System.getProperty("os.arch")));
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        String kilobytes = value(MEMORY, "MemTotal", ":", "");
        if (!kilobytes.isEmpty()) {
            machine.put(
                    "memoryGigabytes",
                    Math.round(Double.parseDouble(kilobytes.split(" ", -1)[0]) / KILOBYTES_OF_GIGABYTE));
        }
        String system = value(RELEASE, "PRETTY_NAME", "=", System.getProperty("os.name"));
        machine.put("system", system.replace("\"", "") + ", kernel " + System.getProperty("os.version"));
        machine.put("java", java);
        machine.put(store.title(), server);
        libraries(store)
                .forEach(library -> version(library)
                        // Its name is no word in camel case, which the page would take apart.
                        .ifPresent(version -> machine.put(library.toLowerCase(Locale.ROOT), version)));
        return machine;
    }

    private static List<String> libraries(Store store) {
        return switch (store) {
            case REDIS ->
                List.of(
                        "belay-core",
                        "redisson",
                        "lettuce-core",
                        "jedis",
                        "spring-integration-redis",
                        "spring-integration-jdbc",
                        "h2",
                        "netty-common");
            case ETCD -> List.of("belay-core", "jetcd-core", "grpc-netty", "netty-common");
            case ZOOKEEPER -> List.of("belay-core", "curator-recipes");
            case MEMORY -> List.of("belay-core");
            case POSTGRESQL, MARIADB ->
                List.of(
                        "belay-core",
                        "spring-integration-jdbc",
                        "spring-jdbc",
                        "shedlock-provider-jdbc-template",
                        "HikariCP");
        };
    }

    /** Returns the version of a library, as the name of its jar has it. */
    private static Optional<String> version(String library) {
        Pattern jar = Pattern.compile(Pattern.quote(library) + "-(\\d.*)\\.jar");
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> jar.matcher(entry.substring(entry.lastIndexOf(File.separatorChar) + 1)))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst();
    }

    private static String value(Path file, String name, String separator, String otherwise) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(separator) + 1).trim())
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException e) {
            return otherwise;
        }
    }
}
