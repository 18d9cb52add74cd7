package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looks at the sources of the modules that are published, for what class files do not show. */
class SourcesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern PUBLISHED = Pattern.compile("<artifactId>belay-([\\w-]+)</artifactId>");
    private static final Pattern REMARKS =
            Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\])*\"", Pattern.DOTALL);
    private static final Pattern EXPORTED = Pattern.compile("exports [\\w.]+ to\\s+([^;]+);");
    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\b");

    /** The modules that are stores, each of which may have its own way of doing what the others do by that name. */
    private static final List<String> STORES =
            List.of("file", "quorum", "redis", "etcd", "zookeeper", "jdbc", "mongodb");

    private static List<String> published() throws IOException {
        return PUBLISHED
                .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
                .results()
                .map(match -> match.group(1))
                .filter(artifact -> !artifact.equals("bom"))
                .toList();
    }

    private static List<String> modules() throws IOException {
        return published().stream()
                .filter(artifact -> Files.isDirectory(ROOT.resolve(artifact).resolve("src/main/java")))
                .toList();
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

    /** What has none gets another one from its file's name, and nothing is exported to that. */
    @Test
    void eachArtifactHasAModuleNameAsItIsCalled() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String artifact : published()) {
            String name = artifact.equals("core") ? "io.belay" : "io.belay." + artifact.replace('-', '.');
            Path pom = ROOT.resolve(artifact).resolve("pom.xml");
            Path module = ROOT.resolve(artifact).resolve("src/main/java/module-info.java");
            assertThat(Files.readString(Files.exists(module) ? module : pom))
                    .as(artifact)
                    .containsAnyOf("module " + name + " {", "<Automatic-Module-Name>" + name + "<");
            names.add(name);
        }
        for (String artifact : List.of("core", "stores")) {
            String module = Files.readString(ROOT.resolve(artifact).resolve("src/main/java/module-info.java"));
            List<String> friends = EXPORTED.matcher(module)
                    .results()
                    .flatMap(match -> Stream.of(match.group(1).split(",\\s*", -1)))
                    .toList();
            assertThat(friends).isNotEmpty();
            assertThat(names).containsAll(friends);
        }
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

    /** Who publishes a build of their own has another one, and what is there by ours may be somebody else's. */
    @Test
    void noMessageNamesTheGroupOfAnArtifact() throws IOException {
        for (String module : modules()) {
            for (Path source : sources(module)) {
                assertThat(Files.readString(source)).as("%s", source).doesNotContain("io.belay:");
            }
        }
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

    /** A lease that nobody keeps is renewed until the client is closed. */
    @Test
    void whoeverDropsALeaseIsWarned() throws IOException {
        Pattern made = Pattern.compile("\\n\\n?(    @[^\\n]*\\n)*    (public |default )?"
                + "(CompletableFuture<|Optional<)*(Lease|MultiLease|Segment)>* (?!onLost|lease)\\w+\\([^{;]*[{;]");
        List<String> unmarked = new ArrayList<>();
        int methods = 0;
        for (Path source : sources("core")) {
            String text = Files.readString(source);
            if (text.startsWith("package io.belay;") || text.startsWith("package io.belay.recipes;")) {
                for (MatchResult method : made.matcher(text).results().toList()) {
                    methods++;
                    if (!method.group().contains("@CheckReturnValue")) {
                        unmarked.add(source.getFileName() + ":" + method.group());
                    }
                }
            }
        }
        assertThat(unmarked).isEmpty();
        assertThat(methods).isGreaterThan(20);
    }
}
