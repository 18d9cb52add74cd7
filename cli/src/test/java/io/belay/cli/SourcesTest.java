package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looks at the sources of the modules that are published, for what class files do not show. */
class SourcesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern PUBLISHED = Pattern.compile("<artifactId>belay-([\\w-]+)</artifactId>");
    private static final Pattern REMARKS =
            Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\])*\"", Pattern.DOTALL);
    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\b");

    /** The modules that are stores, each of which may have its own way of doing what the others do by that name. */
    private static final List<String> STORES =
            List.of("file", "quorum", "redis", "etcd", "zookeeper", "jdbc", "mongodb");

    private static List<String> modules() throws IOException {
        List<String> modules = new ArrayList<>();
        Matcher matcher = PUBLISHED.matcher(Files.readString(ROOT.resolve("bom/pom.xml")));
        while (matcher.find()) {
            if (Files.isDirectory(ROOT.resolve(matcher.group(1)).resolve("src/main/java"))) {
                modules.add(matcher.group(1));
            }
        }
        return modules;
    }

    private static List<Path> sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.getFileName().toString().contains("-info"))
                    .toList();
        }
    }

    private static boolean hasMonitor(String source) {
        return MONITOR.matcher(REMARKS.matcher(source).replaceAll(" ")).find();
    }

    @Test
    void thePublishedModulesAreFound() throws IOException {
        assertThat(modules())
                .hasSizeGreaterThan(9)
                .contains(
                        "core",
                        "stores",
                        "tck",
                        "micrometer",
                        "shedlock",
                        "spring",
                        "spring-boot",
                        "spring-integration")
                .containsAll(STORES);
    }

    /** A virtual thread that waits at one keeps its carrier, before Java 24. */
    @Test
    void nobodyEntersAMonitor() throws IOException {
        for (String module : modules()) {
            for (Path source : sources(module)) {
                assertThat(hasMonitor(Files.readString(source)))
                        .as("%s", source)
                        .isFalse();
            }
        }
        assertThat(hasMonitor("void run() { synchronized (this) {} }")).isTrue();
        assertThat(hasMonitor("/** Is synchronized. */ void run() { log(\"synchronized\"); } // synchronized"))
                .isFalse();
    }

    @Test
    void nameOfAClassMeansOneThing() throws IOException {
        Map<String, TreeSet<String>> modulesOf = new TreeMap<>();
        List<String> twice = new ArrayList<>();
        for (String module : modules()) {
            for (Path source : sources(module)) {
                String name = source.getFileName().toString();
                if (!modulesOf.computeIfAbsent(name, any -> new TreeSet<>()).add(module)) {
                    twice.add(name + " in " + module);
                }
            }
        }
        modulesOf.forEach((name, modules) -> {
            if (modules.size() > 1 && !STORES.containsAll(modules)) {
                twice.add(name + " in " + modules);
            }
        });
        assertThat(twice).isEmpty();
    }
}
