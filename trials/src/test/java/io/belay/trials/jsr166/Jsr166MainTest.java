package io.belay.trials.jsr166;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class Jsr166MainTest {
    private final StringWriter errors = new StringWriter();

    @TempDir
    private Path directory;

    private int run(String... arguments) {
        CommandLine command = Jsr166Main.command();
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    private String toldOnWrongUsage(String... arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(errors.toString()).hasLineCount(1);
        return errors.toString();
    }

    @Test
    void asksForTheSources() {
        assertThat(toldOnWrongUsage()).contains("which DIRECTORY");
    }

    @Test
    void namesADirectoryThatIsNotThere() {
        assertThat(toldOnWrongUsage(directory + "/none")).contains("there is no directory " + directory + "/none");
    }

    @Test
    void namesWhatADirectoryHasNot() {
        assertThat(toldOnWrongUsage(directory.toString()))
                .contains(directory + " does not hold the sources of a JDK")
                .contains("test/jdk/java/util/concurrent/tck/JSR166TestCase.java");
    }

    @Test
    void namesTheStores() {
        assertThat(toldOnWrongUsage(directory.toString(), "--store", "moon"))
                .contains("no store 'moon'; there are: memory, file, redis, zookeeper, etcd, postgresql");
    }

    @Test
    void namesTheWays() {
        assertThat(toldOnWrongUsage(directory.toString(), "--with", "loudly"))
                .contains("no way 'loudly'; there are: default, two-clients");
    }

    @Test
    void saysThatAWayChangesNothingOfATest() throws IOException {
        Files.createFile(Files.createDirectories(directory.resolve("test/jdk/java/util/concurrent/tck"))
                .resolve("JSR166TestCase.java"));
        assertThat(toldOnWrongUsage(directory.toString(), "--with", "sticky", "SemaphoreTest"))
                .contains("nothing to run: permits and latches know neither barging nor stickiness");
    }

    @Test
    void namesTheTests() {
        assertThat(toldOnWrongUsage(directory.toString(), "PhaserTest"))
                .contains("no test 'PhaserTest'; there are: ReentrantLockTest");
    }

    @Test
    void listsWhatIsDeclared() {
        assertThat(run("--declared")).isZero();
        assertThat(run("--help")).isZero();
    }
}
