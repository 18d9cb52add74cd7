package io.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists of docs/trials.md: what users of simulated worlds call, and who judges what docs/locks.md promises. */
class RulesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** The sections of docs/locks.md that the JDK's own tests and a compiler look at. */
    private static final Pattern ELSEWHERE =
            Pattern.compile("(?s)\n## (From Kotlin|What is kept of the JDK's contract)\n.*?(?=\n## )");

    /** The beginnings of sentences that promise nothing: they name what is told beside them, give reasons or advice. */
    private static final List<String> NO_RULES = List.of(
            "Without that, some hundred clients",
            "`token()` is the fencing token.",
            "`release()` tells what became of it:",
            "It follows the contract of `java.util.concurrent.locks.Lock`:",
            "`lock.lease().releaseAfter(d)`.",
            "For a decision `tryAcquire` and",
            "`LockOptions.defaults()` and then:",
            "All callers of one name should",
            "`extend` and `releaseAfter` need a store",
            "`bench/run sticky sticky-move` shows",
            "On the command line that is",
            "A line shows the time at",
            "Ownership is the lease, not a",
            "Its `execute` must not block, as");

    /** The beginning of what no test holds, as it is no doing of Belay's. */
    private static final List<String> NOT_HELD = List.of("On etcd such a time begins anew");

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    /** The cells of a table's rows, below the line that begins like this. */
    private static List<String[]> table(String head) throws IOException {
        List<String> lines = read("docs/trials.md").lines().toList();
        int at = 0;
        while (!lines.get(at).startsWith(head)) {
            at++;
        }
        return lines.subList(at + 2, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(1).split("\\|"))
                .toList();
    }

    private static Set<String> words(String cell) {
        return Pattern.compile("`([^`]+)`")
                .matcher(cell)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String simulation() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("stores/src/test/java/io/belay/simulation"))) {
            StringBuilder all = new StringBuilder();
            for (Path file :
                    files.filter(each -> !each.endsWith("RulesTest.java")).toList()) {
                all.append(Files.readString(file));
            }
            return all.toString();
        }
    }

    @Test
    void theListOfCallsIsThatOfTheApi() throws IOException {
        List<String> api = read("docs/api.txt").lines().toList();
        for (String[] row : table("| type | made")) {
            String type = "io.belay." + words(row[0]).iterator().next() + " ";
            Set<String> methods = api.stream()
                    .filter(line -> line.startsWith(type) && line.contains("(") && line.contains(") : "))
                    .map(line -> line.substring(type.length()))
                    .filter(line -> !line.startsWith("static ") && !line.startsWith("toString("))
                    .map(line -> line.substring(0, line.indexOf('(')))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> listed = words(row[1]);
            listed.addAll(words(row[2]));
            assertThat(listed).as(type).isNotEmpty().isEqualTo(methods);
        }
    }

    @Test
    void whatIsListedAsMadeIsMade() throws IOException {
        String users = simulation();
        for (String[] row : table("| type | made")) {
            assertThat(words(row[1]))
                    .allSatisfy(method -> assertThat(users).containsPattern("(\\.|::|void )" + method + "\\b"));
        }
    }

    /** The sentences of a page, as one line each; those of a table are its cells, one after the other. */
    private static List<String> sentences(String page) {
        List<String> sentences = new ArrayList<>();
        for (String block : page.replaceAll("(?s)```.*?```", "").split("\\n\\s*\\n|\\n(?=- |\\| )")) {
            String line = block.replaceAll("\\s+", " ").strip();
            if (!line.isEmpty() && !line.startsWith("#") && !line.contains("|--")) {
                sentences.addAll(Arrays.asList(line.split("(?<=[.;:?!])\\s+(?=[A-Z`*])")));
            }
        }
        return sentences;
    }

    @Test
    void eachOptionOfALockIsInItsTable() throws IOException {
        String page = read("docs/locks.md");
        List<String> options = Pattern.compile("(?m)^io\\.belay\\.LockOptions (with\\w+)\\(")
                .matcher(read("docs/api.txt"))
                .results()
                .map(option -> option.group(1))
                .toList();
        assertThat(options)
                .hasSizeGreaterThan(9)
                .allSatisfy(option -> assertThat(page).contains("\n| `" + option + "("));
    }

    private static String plain(String sentence) {
        return sentence.replaceAll("[|*]", " ").replaceAll("\\s+", " ").strip().replaceFirst("^- ", "");
    }

    @Test
    void eachRuleOfThePageHasItsJudge() throws IOException {
        String page = ELSEWHERE.matcher(read("docs/locks.md")).replaceAll("");
        List<String> sentences = sentences(page).stream().map(RulesTest::plain).toList();
        List<String> listed = new ArrayList<>(NO_RULES);
        listed.addAll(NOT_HELD);
        table("| a sentence that begins").forEach(row -> listed.add(row[0].strip()));
        assertThat(sentences).allSatisfy(sentence -> assertThat(listed).anyMatch(sentence::startsWith));
        assertThat(listed).allSatisfy(quote -> assertThat(sentences).anyMatch(each -> each.startsWith(quote)));
    }

    @Test
    void eachJudgeIsThere() throws IOException {
        Set<String> oracles = Stream.of(Oracle.values()).map(Enum::name).collect(Collectors.toSet());
        String simulation = simulation();
        List<Path> tests = tests();
        for (String[] row : table("| a sentence that begins")) {
            assertThat(words(row[1])).as(row[0]).isNotEmpty().allSatisfy(judge -> {
                if (oracles.contains(judge)) {
                    assertThat(simulation).contains("Oracle." + judge);
                } else {
                    String[] test = judge.split("\\.");
                    assertThat(tests)
                            .as(judge)
                            .filteredOn(file -> file.endsWith(test[0] + ".java"))
                            .anyMatch(file -> test.length == 1 || has(file, test[1]));
                }
            });
        }
    }

    @Test
    void eachJudgeFindsAPlantedFault() throws IOException {
        Set<String> finders = Pattern.compile("(?m)^\\| \\**`[A-Z_]+`\\** \\| `([A-Z_]+)` \\| [0-9,]+")
                .matcher(read("docs/testing.md"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(finders)
                .containsAll(Stream.of(Oracle.values()).map(Enum::name).toList());
    }

    /** The files of all modules' tests, and of the contract suite. */
    private static List<Path> tests() throws IOException {
        List<Path> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                for (Path folder :
                        List.of(module.resolve("src/test/java"), module.resolve("src/main/java/io/belay/tck"))) {
                    if (Files.isDirectory(folder)) {
                        try (Stream<Path> files = Files.walk(folder)) {
                            files.filter(file -> file.toString().endsWith(".java"))
                                    .forEach(tests::add);
                        }
                    }
                }
            }
        }
        return tests;
    }

    private static boolean has(Path file, String method) {
        try {
            return Files.readString(file).contains("void " + method + "(");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
