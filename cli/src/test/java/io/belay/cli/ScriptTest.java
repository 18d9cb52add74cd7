package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that are called {@code belay}, up to where they start Java. */
class ScriptTest {
    @TempDir
    private Path directory;

    /** With an exported CDPATH {@code cd} prints where it has come to. */
    @ParameterizedTest
    @CsvSource({
        "../dist/src/bin/belay, bin/belay, share/java.sh, belay_home",
        "../belay, belay, scripts/lib.sh, belay_root"
    })
    void itFindsWhatLiesBesideIt(Path script, String called, String beside, String variable) throws Exception {
        Path home = directory.toRealPath().resolve("home");
        Files.createDirectories(home.resolve(called).getParent());
        Files.createDirectories(home.resolve(beside).getParent());
        Files.copy(script, home.resolve(called));
        Files.writeString(home.resolve(beside), "printf '%s\\n' \"$" + variable + "\"; exit\n");
        ProcessBuilder builder = new ProcessBuilder(List.of("bash", "home/" + called, "locks"))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("CDPATH", ".:/usr");
        Process process = builder.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(home + "\n");
    }
}
