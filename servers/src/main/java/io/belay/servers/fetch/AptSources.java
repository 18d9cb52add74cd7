package io.belay.servers.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes a list of package sources out of the machine's own, with another suite's name in it. So the machine's mirror,
 * proxy and keys serve, whatever they are. Both of apt's formats are read. Only entries of Debian's main component and
 * of a whole release are taken over, and what only adds to one, such as updates, is left out.
 */
final class AptSources {
    private static final Pattern ONE_LINE = Pattern.compile("deb\\s+(\\[[^]]*]\\s+)?(\\S+)\\s+(\\S+)\\s+(.*)");
    private static final Pattern FIELD = Pattern.compile("(?m)^([A-Za-z-]+):((?:.*)(?:\\n[ \\t]+.*)*)$");

    /** The names by which the releases of this machine may be called. */
    private final Set<String> releases;

    private final String suite;

    AptSources(Set<String> releases, String suite) {
        this.releases = releases;
        this.suite = suite;
    }

    /** Reads all of {@code /etc/apt}, or one like it, and writes {@code fetch.sources} and {@code fetch.list}. */
    void rewrite(Path etc, Path target) throws IOException {
        StringBuilder sources = new StringBuilder();
        StringBuilder lines = new StringBuilder();
        for (Path file : files(etc)) {
            String text = Files.readString(file);
            if (file.toString().endsWith(".sources")) {
                sources.append(stanzas(text));
            } else {
                lines.append(lines(text));
            }
        }
        if (sources.isEmpty() && lines.isEmpty()) {
            throw new IOException("no package source of " + String.join(", ", releases) + " in " + etc);
        }
        Files.writeString(target.resolve("fetch.sources"), sources);
        Files.writeString(target.resolve("fetch.list"), lines);
    }

    private static List<Path> files(Path etc) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isRegularFile(etc.resolve("sources.list"))) {
            files.add(etc.resolve("sources.list"));
        }
        Path parts = etc.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> all = Files.list(parts)) {
                all.filter(file -> file.toString().matches(".*\\.(list|sources)"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** The lines of a {@code .list} that are taken over. */
    String lines(String text) {
        return text.lines()
                .map(line -> ONE_LINE.matcher(line.strip()))
                .filter(Matcher::matches)
                .filter(line -> releases.contains(line.group(3)) && isMain(line.group(4)))
                .map(line ->
                        "deb " + (line.group(1) == null ? "" : line.group(1)) + line.group(2) + " " + suite + " main\n")
                .distinct()
                .collect(Collectors.joining());
    }

    /** The stanzas of a {@code .sources} that are taken over. */
    String stanzas(String text) {
        String bare = text.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
        return Arrays.stream(bare.split("\\n\\s*\\n", -1))
                .filter(this::isWanted)
                .map(this::rewritten)
                .collect(Collectors.joining());
    }

    private boolean isWanted(String stanza) {
        return words(stanza, "Types").contains("deb")
                && words(stanza, "Suites").stream().anyMatch(releases::contains)
                && isMain(String.join(" ", words(stanza, "Components")))
                && !words(stanza, "Enabled").contains("no");
    }

    private String rewritten(String stanza) {
        StringBuilder out = new StringBuilder();
        Matcher fields = FIELD.matcher(stanza);
        while (fields.find()) {
            String value = switch (fields.group(1)) {
                case "Types" -> " deb";
                case "Suites" -> " " + suite;
                case "Components" -> " main";
                default -> fields.group(2);
            };
            out.append(fields.group(1)).append(':').append(value).append('\n');
        }
        return out.append('\n').toString();
    }

    private static List<String> words(String stanza, String field) {
        Matcher fields = FIELD.matcher(stanza);
        while (fields.find()) {
            if (fields.group(1).equalsIgnoreCase(field)) {
                return List.of(fields.group(2).strip().split("\\s+"));
            }
        }
        return List.of();
    }

    private static boolean isMain(String components) {
        return List.of(components.split("#", 2)[0].strip().split("\\s+")).contains("main");
    }
}
