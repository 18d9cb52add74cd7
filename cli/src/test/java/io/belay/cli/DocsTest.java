package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.run.RunCommand;
import io.belay.servers.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the documents show of commands on a directory works as it is shown, in the home of somebody. */
@Tag("long")
class DocsTest {
    private static final Pattern COMMAND =
            Pattern.compile("(?m)^\\./belay (hammer|locks|inspect|doctor) .*--store \"file:.*$");
    private static final Pattern DOCTOR = Pattern.compile("(?s)```\n(DANGER {3}lock\n.*?)\n\nround trips");
    private static final String HOME_IN_DOCS = "/home/ada";

    @TempDir
    private Path home;

    private static List<String> pages() throws IOException {
        List<String> pages = new ArrayList<>(List.of(Files.readString(Path.of("..", "README.md"))));
        for (String name : List.of("cli.md", "run.md", "file-store.md", "flash-sale.md")) {
            pages.add(Files.readString(Path.of("..", "docs", name)));
        }
        return pages;
    }

    private CommandRun run(String command) throws Exception {
        String line = command.replace("./belay ", "").replace("--seconds 5", "--seconds 1");
        return Cli.run(
                Map.of(),
                Arrays.stream(line.split(" ", -1))
                        .map(word -> word.replace("\"", "").replace("$HOME", home.toString()))
                        .toArray(String[]::new));
    }

    @Test
    void theCommandsOnDirectoriesWork() throws Exception {
        List<String> commands = new ArrayList<>();
        for (String page : pages()) {
            COMMAND.matcher(page).results().map(MatchResult::group).forEach(commands::add);
        }
        assertThat(commands).hasSizeGreaterThanOrEqualTo(5);
        // Who looks at a directory needs one.
        commands.sort((a, b) -> Boolean.compare(b.contains(" hammer "), a.contains(" hammer ")));
        for (String command : commands) {
            CommandRun run = run(command);
            assertThat(run.exitCode()).as(command + ": " + run.output()).isZero();
        }
    }

    /** By a shell, as these have quotes and variables of their own. */
    @Test
    void theCommandsUnderALockWork() throws Exception {
        Cli.script(home.resolve("belay"));
        String page = Files.readString(Path.of("..", "docs", "run.md"));
        List<String> lines = Pattern.compile("(?m)^\\./belay run .*--store \"file:.*$")
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            ProcessBuilder shell = new ProcessBuilder("sh", "-c", line).directory(home.toFile());
            shell.environment().put("HOME", home.toString());
            Process process = shell.redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(line + ": " + output).isZero();
            assertThat(output).containsPattern("backup is mine, token \\d+");
        }
    }

    /** What is wrong with the value of one is told by its longest name. */
    @Test
    void thePageOnRunsHasEachNameOfAnOption() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "run.md"));
        assertThat(new CommandLine(new RunCommand())
                        .getCommandSpec().options().stream()
                                .filter(option -> !option.usageHelp() && !option.versionHelp())
                                .flatMap(option -> Stream.of(option.names())))
                .isNotEmpty()
                .allMatch(name -> page.contains("`" + name + "`") || page.contains("`" + name + " "));
    }

    /** Returns the first block below a title of the page on runs, with a store of this test. */
    private String recipe(String title) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "run.md"));
        Path store = Files.writeString(home.resolve("store.url"), "file:" + home.resolve("locks"));
        return Pattern.compile("(?s)\n### " + title + "\n.*?\n```[a-z]*\n(.*?\n)```\n")
                .matcher(page)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1)
                .replace("/etc/belay/store.url", store.toString());
    }

    private void program(String name, String text) throws IOException {
        Path program = Files.writeString(home.resolve(name), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    /** Has a shell run something where {@code belay} is on the path. */
    private CommandRun shell(String... args) throws Exception {
        Cli.script(home.resolve("belay"));
        List<String> words = new ArrayList<>(List.of("bash"));
        words.addAll(List.of(args));
        ProcessBuilder process = new ProcessBuilder(words).directory(home.toFile());
        process.environment().merge("PATH", home.toString(), (path, first) -> first + ":" + path);
        return CommandRun.of(process.redirectErrorStream(true).start());
    }

    /** Also if something comes after it, and where a failure ends the script. */
    @ParameterizedTest
    @ValueSource(strings = {"+e", "-e"})
    void theDeployScriptFailsAsTheDeploymentDid(String option) throws Exception {
        String script = recipe("A deploy script") + "echo goes on\n";
        Map<Integer, Integer> codes = Map.of(0, 0, 3, 3, 75, 1);
        for (int code : codes.keySet()) {
            program("deploy.sh", "exit " + code);
            CommandRun run = shell(option, "-c", script);
            assertThat(run.exitCode()).as(code + ": " + run.output()).isEqualTo(codes.get(code));
            assertThat(run.output().contains("goes on")).isEqualTo(code == 0);
            assertThat(run.output().contains("another deployment")).isEqualTo(code == 75);
        }
    }

    /** The pod that comes second must not fail, or its job would. */
    @Test
    void ofTwoPodsOneWritesTheReportAndBothSucceed() throws Exception {
        String words = words(recipe("A Kubernetes job"));
        program("report", "echo written");
        CommandRun first = shell("-c", words);
        assertThat(first.exitCode()).as(first.output()).isZero();
        assertThat(first.output()).contains("written");
        CommandRun second = shell("-c", words);
        assertThat(second.exitCode()).as(second.output()).isZero();
        assertThat(second.output()).doesNotContain("written").contains("is taken by");
    }

    /** Why the job is not to be tried again: the second pod succeeds, as if there were a report. */
    @Test
    void thePodAfterAReportThatFailedWouldPassForASuccess() throws Exception {
        String recipe = recipe("A Kubernetes job");
        assertThat(recipe).contains("\n      backoffLimit: 0\n");
        program("report", "exit 1");
        assertThat(shell("-c", words(recipe)).exitCode()).isEqualTo(1);
        assertThat(shell("-c", words(recipe)).exitCode()).isZero();
    }

    /** Returns the command of a pod; a shell's quotes are the same. */
    private static String words(String recipe) {
        Matcher command = Pattern.compile("(?s)\\n +command: \\[(.*?)]\\n").matcher(recipe);
        assertThat(command.find()).isTrue();
        return command.group(1).replaceAll("[,\\s]+", " ");
    }

    @Test
    void noExampleIsInADirectoryOfEverybody() throws IOException {
        assertThat(pages()).noneMatch(page -> page.contains("--store file:/tmp") || page.contains("=file:/tmp"));
    }

    @Test
    void theCommandsThatTakeADriverAreListed() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        String list = page.substring(page.indexOf("\n## Drivers\n"), page.indexOf(" take `--driver JAR`"));
        List<String> listed = Pattern.compile("`([a-z]+)`")
                .matcher(list.substring(list.lastIndexOf("\n\n")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(Commands.all())
                .allSatisfy((name, line) -> assertThat(listed.contains(name))
                        .as(name)
                        .isEqualTo(line.getCommandSpec().findOption("--driver") != null));
    }

    @Test
    void theDoctorSaysWhatIsShown() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        String command = COMMAND.matcher(page)
                .results()
                .map(MatchResult::group)
                .filter(line -> line.contains(" doctor "))
                .findFirst()
                .orElseThrow();
        String shown = DOCTOR.matcher(page).results().findFirst().orElseThrow().group(1);
        Path directory = Files.createDirectories(home.resolve(".belay/shop"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        CommandRun run = run(command);
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        String said = run.output().replaceAll("\\s+", " ").replace(home.toString(), HOME_IN_DOCS);
        assertThat(said).startsWith(shown.replaceAll("\\s+", " ")).contains("1 danger, 1 warning, ");
    }
}
