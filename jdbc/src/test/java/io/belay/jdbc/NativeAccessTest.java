package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.servers.ChildJvm;
import io.belay.servers.CommandRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeAccessTest {
    @TempDir
    private Path directory;

    /** Connects to the URL in its argument, and prints why it could not. */
    static final class Connecting {
        private Connecting() {}

        public static void main(String[] arguments) {
            try (Belay belay = Belay.connect(arguments[0])) {
                System.out.println("connected");
            } catch (BelayException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private String connect(String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-cp",
                ChildJvm.classPath(NativeAccessTest.class),
                Connecting.class.getName(),
                "jdbc:sqlite:" + directory.resolve("own.db") + "?belay-create=true"));
        CommandRun run = CommandRun.of(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        assertThat(run.exitCode()).as(run.output()).isZero();
        return run.output();
    }

    @Test
    void advisesOnlyWhereJavaWarns() {
        assertThat(NativeAccess.advice(17, false, "ALL-UNNAMED")).isEmpty();
        assertThat(NativeAccess.advice(25, true, "ALL-UNNAMED")).isEmpty();
        assertThat(NativeAccess.advice(25, false, "ALL-UNNAMED"))
                .hasValueSatisfying(advice -> assertThat(advice).endsWith("--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void findsTheRefusalAmongTheCauses() {
        Throwable refused =
                new Exception("Error opening connection", new IllegalCallerException("Illegal native access"));
        assertThat(NativeAccess.cure(refused)).isPresent();
        assertThat(NativeAccess.cure(new Exception("Error opening connection"))).isEmpty();
    }

    /** As where that directory is full, or mounted noexec. */
    @Test
    void namesTheDirectoryFromWhichTheLibraryCannotBeLoaded() throws Exception {
        assertThat(connect("-Dorg.sqlite.tmpdir=/proc"))
                .contains("the driver of SQLite cannot load its library from /proc", "-Djava.io.tmpdir=DIRECTORY");
    }

    @Test
    void saysOnceWhatTheWarningIsAbout() throws Exception {
        String output = connect();
        assertThat(output).contains("connected");
        boolean warns = Runtime.version().feature() >= 24;
        assertThat(output.split("SQLite's driver loads a library", -1)).hasSize(warns ? 2 : 1);
        if (warns) {
            assertThat(connect("--enable-native-access=ALL-UNNAMED")).doesNotContain("loads a library");
        }
    }

    @Test
    void namesTheFlagWhereTheLibraryIsRefused() throws Exception {
        assumeTrue(Runtime.version().feature() >= 24, "Java before 24 refuses nothing");
        assertThat(connect("--illegal-native-access=deny"))
                .contains("may not load its library", "--enable-native-access=ALL-UNNAMED")
                .doesNotContain("connected");
    }
}
