package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import io.belay.servers.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the first page compiles and runs as it stands there. */
class ReadmeTest {
    private static final Path PAGE = Path.of("..", "README.md");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\n(import .*?public class (\\w+) .*?)^```$");
    private static final Pattern TOKEN = Pattern.compile("(?m)^It is mine, by token ([1-9]\\d*)$");

    @TempDir
    private Path home;

    private static MatchResult program() throws Exception {
        List<MatchResult> programs =
                PROGRAM.matcher(Files.readString(PAGE)).results().toList();
        assertThat(programs).hasSize(1);
        return programs.get(0);
    }

    private long run(Path source) throws Exception {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                ChildJvm.classPath(ReadmeTest.class),
                source.toString());
        java.environment().put("HOME", home.toString());
        CommandRun run = CommandRun.of(java.redirectErrorStream(true).start());
        Matcher token = TOKEN.matcher(run.output());
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(token.find()).as(run.output()).isTrue();
        return Long.parseLong(token.group(1));
    }

    @Test
    void theFirstProgramTakesTheLockTimeAndAgain() throws Exception {
        MatchResult program = program();
        Path source = Files.writeString(home.resolve(program.group(2) + ".java"), program.group(1));
        long first = run(source);
        assertThat(run(source)).isGreaterThan(first);
        assertThat(home.resolve(".belay/first")).isDirectory();
    }

    /** The example that the page lets one copy is the same program. */
    @Test
    void theExampleIsTheProgramOfThePage() throws Exception {
        MatchResult program = program();
        String example = Files.readString(
                Path.of("..", "examples", "plain-java", "src", "main", "java", "orders", program.group(2) + ".java"));
        assertThat(example.substring(example.indexOf("import "))).isEqualTo(program.group(1));
    }
}
