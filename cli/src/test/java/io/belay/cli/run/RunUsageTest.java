package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong calls of {@code run} and {@code lead}, which start nothing and touch no store. */
class RunUsageTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run x",
                "run x --store URL",
                "run x --store URL true",
                "run x --store URL true -- x",
                "run x --store URL -c true -- true",
                "run x -- true",
                "run x --store memory:x -- true",
                "run x --store MEMORY:x -- true",
                "run x --store URL --lease 3s -- true",
                "run x --store URL --max-hold 5s -- true",
                "run x --store URL -n -w 3 -- true",
                "run x --store URL -w -1 -- true",
                "run x --store URL -w soon -- true",
                "run x --store URL -s -x -- true",
                "run x --store URL -s --permits 2/5 -- true",
                "run x --store URL --permits 6/5 -- true",
                "run x --store URL --permits 0/5 -- true",
                "run x --store URL -E 256 -- true",
                "run x --store URL --own-exit-code 256 -- true",
                "run x --store URL --on-lost maybe -- true",
                "run x --store URL --nix -- true",
                "lead x --store URL -n -- true"
            })
    void aWrongCallIsOneLine(String line) throws Exception {
        assertOneLine(line);
    }

    /** Java has read bytes that the locale does not know; other bytes would be the same name. */
    @ParameterizedTest
    @ValueSource(strings = {"run b\ufffdro --store URL -- true", "lead b\ufffdro --store URL -- true"})
    void aNameThatCouldNotBeReadIsRefused(String line) throws Exception {
        assertThat(assertOneLine(line)).contains("'b?ro'", "LC_ALL=C.UTF-8");
    }

    @Test
    void choicesAreToldAsTheHelpHasThem() throws Exception {
        assertThat(assertOneLine("run x --store URL --on-lost maybe -- true"))
                .contains("'--on-lost'", "one of term|continue but")
                .doesNotContain("TERM");
    }

    @Test
    void anOptionIsToldByTheNameThatWasGiven() throws Exception {
        assertThat(assertOneLine("run x --store URL --wait soon -- true"))
                .contains("'--wait'", "'soon' is not a duration");
    }

    private String assertOneLine(String line) throws Exception {
        CommandRun run = Cli.inside(
                line.replace("URL", "file:" + directory.resolve("locks")).split(" ", -1));
        assertThat(run.exitCode()).as(run.output()).isEqualTo(64);
        assertThat(run.output().strip()).startsWith("belay: ").doesNotContain("\n", "Exception");
        assertThat(directory.resolve("locks")).doesNotExist();
        return run.output();
    }
}
