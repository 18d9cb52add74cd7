package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Java VM of a command that the script does not begin. The test stands in the script's place. */
@Tag("processes")
@Tag("long")
class LauncherTest extends RunHarness {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    private Process vm(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "sh",
                "-c",
                "exec \"$@\" 3>&1 >&2",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xrs",
                "-Dbelay.launched=true",
                "-cp",
                System.getProperty("java.class.path"),
                "io.belay.cli.Main",
                "run",
                "x",
                "--store",
                url()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "true"));
        return new ProcessBuilder(words)
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    private static void tell(Process vm, String line) throws IOException {
        vm.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        vm.getOutputStream().flush();
    }

    private static void assertEnds(Process vm, int exitCode) throws InterruptedException {
        assertThat(vm.waitFor(Pace.patience().toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(vm.exitValue()).isEqualTo(exitCode);
    }

    /** Reads the token, which is behind the lock's name. */
    private static String token(InputStream call) throws IOException {
        StringBuilder token = new StringBuilder();
        for (int read = call.read(); read > 0; read = call.read()) {
            token.append((char) read);
        }
        return token.toString();
    }

    @Test
    void aSignalEndsTheHold() throws Exception {
        Process vm = vm("--lease", "10m");
        try {
            assertThat(vm.getInputStream().readNBytes(3))
                    .as("the lock is held")
                    .asString()
                    .isEqualTo("\0x\0");
            tell(vm, "signal TERM");
            assertEnds(vm, 143);
            shell("true").ends(0);
        } finally {
            vm.destroyForcibly();
        }
    }

    /** Its exit code is 1, which would be taken for the command's. */
    @ParameterizedTest
    @CsvSource({"69, -q", "7, --own-exit-code=7", "69, --own-exit-code=256"})
    void aVmThatDoesNotBeginIsNoCommand(int exitCode, String option) throws Exception {
        List<String> words = run("x", "true", option);
        words.add(0, "JAVA_TOOL_OPTIONS=-XX:NoSuch");
        assertThat(start(words).ends(exitCode).err()).contains("NoSuch");
    }

    /** The script stands still when it has begun the command, for longer than the lease was when it was told to. */
    @Test
    void aCommandWhoseBeginIsToldLateIsLeftAliveWhileTheLeaseIsRenewed() throws Exception {
        Premise.withLease(SHORT, this::aCommandWhoseBeginIsToldLate);
    }

    private void aCommandWhoseBeginIsToldLate(Duration lease) throws Exception {
        Process vm = vm(options(lease));
        Process command = null;
        try {
            assertThat(vm.getInputStream().readNBytes(3)).asString().isEqualTo("\0x\0");
            ProcessBuilder marked = new ProcessBuilder("sleep", "600");
            marked.environment().put("BELAY_LOCK", "x");
            marked.environment().put("BELAY_TOKEN", token(vm.getInputStream()));
            command = marked.start();
            boolean killed = command.waitFor(2 * lease.toMillis(), TimeUnit.MILLISECONDS);
            Premise.check(!killed, "the lease is renewed in time, and the watcher told of it");
            tell(vm, "started " + command.pid());
            tell(vm, "ended 0");
            assertEnds(vm, 0);
        } finally {
            vm.destroyForcibly();
            if (command != null) {
                command.destroyForcibly();
            }
        }
    }
}
