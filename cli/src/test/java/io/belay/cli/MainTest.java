package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.text.FailureCodes;
import io.belay.servers.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** Each wrong call is one line and exit code 2, and starts nothing. */
class MainTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nix",
                "--nix",
                "flash-sale",
                "inspect",
                "inspect x",
                "inspect x --store memory:x",
                "inspect x --store MEMORY:x",
                "inspect x --store nix:",
                "locks",
                "locks --store memory:x",
                "locks --store file:/tmp/x --limit 0",
                "locks --store file:/tmp/x --watch --interval 1",
                "dashboard",
                "dashboard --store memory:x",
                "dashboard --store file:/tmp/x --listen 7420",
                "dashboard --store file:/tmp/x --listen 127.0.0.1:x",
                "dashboard --store file:/tmp/x --listen 127.0.0.1:65536",
                "dashboard --store file:/tmp/x --listen 0.0.0.0:0",
                "dashboard --store file:/tmp/x --listen 0.0.0.0:0 --host locks.example",
                "dashboard --store file:/tmp/x --allow-break",
                "dashboard --store file:/tmp/x --token-file /nix",
                "dashboard --store file:/tmp/x --client shop:8080",
                "dashboard --store file:/tmp/x --client http://${NIX_NIX}@shop/client",
                "break",
                "break x",
                "break x --store memory:x",
                "hammer x",
                "hammer --store memory:x",
                "hammer x --store memory:x",
                "hammer x --store MEMORY:x",
                "hammer x --store file:/tmp/x --processes 0",
                "hammer x --store file:/tmp/x --threads -1",
                "hammer x --store file:/tmp/x --seconds 0",
                "hammer x --store file:/tmp/x --slice 1",
                "hammer x --store file:/tmp/x --lease 1ms",
                "doctor",
                "doctor extra --store memory:x",
                "doctor --store memory:",
                "doctor --store nix://u:geheim@host/1",
                "doctor --store ${BELAY_TEST_NO_SUCH}",
                "doctor --store file:/proc/version"
            })
    void usage(String line) {
        assertOneLine(line.isEmpty() ? new String[0] : line.split(" ", -1));
    }

    private static String assertOneLine(String... args) {
        CommandRun run = Cli.inside(args);
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output().strip()).startsWith("belay: ").doesNotContain("\n", "Exception");
        assertThat(run.output().strip().length()).isGreaterThan(20);
        return run.output();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "locks", "inspect", "dashboard", "break", "hammer", "doctor", "schema"})
    void noHelpHasADefaultThatIsNone(String command) {
        assertThat(Cli.inside(command, "--help").output().lines())
                .hasSizeGreaterThan(5)
                .noneMatch(line -> line.strip().equals("Default:"));
    }

    @Test
    void aWordThatIsMissingOrUnknownSaysWhereTheyAreListed() {
        assertThat(assertOneLine("inspect")).contains("Missing required parameter: 'NAME'; see belay inspect --help");
        assertThat(assertOneLine("locks", "--jsn")).contains("'--jsn'; see belay locks --help");
        assertThat(assertOneLine("schema", "x")).contains("'x'; see belay schema --help");
        assertThat(assertOneLine("locks", "--limit", "many")).contains("'many' is not a whole number");
    }

    /** Whoever reads the output for JSON finds none, and the exit code. */
    @ParameterizedTest
    @ValueSource(strings = {"locks", "locks --watch", "inspect x", "deadlocks", "hammer x", "doctor"})
    void whatIsPrintedAsJsonIsNothingWhereTheStoreIsAway(String command) {
        assertThat(assertOneLine((command + " --json --store redis://127.0.0.1:1").split(" ", -1)))
                .contains("cannot be reached");
    }

    @Test
    void lockNamesAreChecked() {
        String store = "file:" + directory;
        assertOneLine("inspect", "", "--store", store);
        assertOneLine("inspect", "a\nb", "--store", store);
        assertOneLine("inspect", "x".repeat(513), "--store", store);
        assertOneLine("hammer", "a\u0000b", "--store", store);
    }

    /** Java has read bytes that the locale does not know; other bytes would be the same name. */
    @ParameterizedTest
    @ValueSource(strings = {"inspect", "break", "locks", "hammer"})
    void aNameThatCouldNotBeReadIsRefused(String command) {
        assertThat(assertOneLine(command, "b\ufffd\ufffdro", "--store", "file:" + directory.resolve("locks")))
                .contains("LC_ALL=C.UTF-8");
        assertThat(directory.resolve("locks")).doesNotExist();
    }

    @Test
    void aDirectoryThatTheLocaleDoesNotKnowIsRefused() throws Exception {
        Path url = Files.writeString(directory.resolve("url"), "file:" + directory.resolve("b") + "\u00fcro");
        CommandRun run = Cli.run(Map.of("LC_ALL", "C"), "locks", "--store-file", url.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output())
                .startsWith("belay: ")
                .endsWith("set LC_ALL=C.UTF-8")
                .doesNotContain("\n");
    }

    @Test
    void aPauseThatIsNoneIsRefused() {
        assertThat(assertOneLine(
                        "locks", "--watch", "--interval", "500us", "--store", "file:" + directory + "/missing"))
                .contains("--interval");
    }

    @Test
    void whoOnlyLooksMakesNoDirectory() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "a-token-that-nobody-guesses");
        Path missing = directory.resolve("missing");
        Path there = Files.createFile(directory.resolve("there.db"));
        List<String> stores = List.of(
                "file:" + missing,
                "jdbc:sqlite:" + missing,
                "jdbc:sqlite:file:" + missing + "?belay-own-file=false",
                "jdbc:sqlite:" + missing + "?belay-create=true",
                "jdbc:sqlite:" + there, // the locks are in a file beside it
                "jdbc:h2:file:" + missing,
                "jdbc:h2:" + missing + ";belay-create=true");
        for (String store : stores) {
            for (String command : List.of(
                    "inspect x",
                    "locks",
                    "deadlocks",
                    "break x --yes",
                    "doctor",
                    "dashboard --listen 127.0.0.1:0 --allow-break --token-file " + token)) {
                List<String> args = new ArrayList<>(List.of(command.split(" ", -1)));
                args.addAll(List.of("--store", store));
                assertThat(assertOneLine(args.toArray(String[]::new)))
                        .as("%s on %s", command, store)
                        .containsPattern("does not exist|has no (file|database)");
                try (Stream<Path> files = Files.list(directory)) {
                    assertThat(files).containsExactlyInAnyOrder(token, there);
                }
            }
        }
    }

    @Test
    void noSecretIsPrinted() throws Exception {
        assertThat(assertOneLine("inspect", "x", "--store", "nix://u:geheim@host/1"))
                .doesNotContain("geheim");
        assertThat(assertOneLine("inspect", "x", "nix://u:geheim@host/1")).doesNotContain("geheim");
        Path file = Files.writeString(directory.resolve("url"), "nix://u:geheim@host/1");
        assertThat(assertOneLine("inspect", "x", "--store-file", file.toString()))
                .doesNotContain("geheim");
        CommandRun traced = Cli.run(Map.of("BELAY_DEBUG", "1"), "inspect", "x", "nix://u:geheim@host/1");
        assertThat(traced.output())
                .contains("UnmatchedArgumentException", "\tat ")
                .doesNotContain("geheim");
    }

    /** Java's own end of a process by one is that of a result, and pages long. */
    @Test
    void anErrorIsAFailureLikeOthers() {
        CommandRun run = CommandRun.inside(() -> Main.run(new Failing(), "locks"));
        assertThat(run).isEqualTo(new CommandRun(2, "belay: NoClassDefFoundError: a/b/C\n"));
        CommandRun own = CommandRun.inside(() -> Main.run(new FailingOnItsOwn(), "run"));
        assertThat(own).isEqualTo(new CommandRun(69, "belay: NoClassDefFoundError: a/b/C\n"));
        CommandRun without = CommandRun.inside(() -> Main.run(new WithoutFiles(), "locks"));
        assertThat(without).isEqualTo(new CommandRun(2, "belay: IOException: Too many open files\n"));
    }

    /** Java tells what it needs a file for by the class alone that could not begin. */
    @Command
    private static final class WithoutFiles implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new ExceptionInInitializerError(new IOException("Too many open files"));
        }
    }

    @Command
    private static class Failing implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new NoClassDefFoundError("a/b/C");
        }
    }

    private static final class FailingOnItsOwn extends Failing implements FailureCodes {
        @Override
        public int usage() {
            return 64;
        }

        @Override
        public int of(Throwable e) {
            return 69;
        }
    }

    /** What was there before was not made, and is there all the same. */
    @Test
    void whatIsMadeOrWasThereIsSaidToBeThere() {
        for (int i = 0; i < 2; i++) {
            CommandRun run = Cli.inside("schema", "--create", "--store", "jdbc:h2:" + directory.resolve("x"));
            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(run.output()).isEqualTo("all is there that this store needs\n");
        }
    }

    @Test
    void helpAndVersionEverywhere() {
        for (List<String> command : List.of(
                List.<String>of(),
                List.of("run"),
                List.of("lead"),
                List.of("locks"),
                List.of("dashboard"),
                List.of("inspect"),
                List.of("break"),
                List.of("hammer"),
                List.of("doctor"),
                List.of("schema"))) {
            for (String option : List.of("--help", "--version", "-h", "-V")) {
                String[] args =
                        Stream.concat(command.stream(), Stream.of(option)).toArray(String[]::new);
                CommandRun run = Cli.inside(args);
                assertThat(run.exitCode()).isZero();
                assertThat(run.output()).contains("belay").doesNotContain("null");
            }
        }
    }
}
