package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java VM of a command that the script does not begin. The test stands in the script's place. */
@Tag("processes")
@Tag("long")
class LauncherTest extends RunHarness {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    @Test
    void aSignalEndsTheHold() throws Exception {
        Process vm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xrs",
                        "-Dbelay.launched=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.belay.cli.Main",
                        "run",
                        "x",
                        "--store",
                        url(),
                        "--",
                        "true")
                .redirectError(directory.resolve("err").toFile())
                .start();
        try {
            assertThat(vm.getInputStream().readNBytes(2))
                    .as("the lock is held")
                    .asString()
                    .isEqualTo("x\0");
            vm.getOutputStream().write("signal TERM\n".getBytes(StandardCharsets.UTF_8));
            vm.getOutputStream().flush();
            assertThat(vm.waitFor(Pace.patience().toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(vm.exitValue()).isEqualTo(143);
            shell("true", "-n").ends(0);
        } finally {
            vm.destroyForcibly();
        }
    }
}
