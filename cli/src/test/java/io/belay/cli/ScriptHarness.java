package io.belay.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Calls copies of a checkout's scripts. */
abstract class ScriptHarness {
    /** The environment of one that is to install nothing. */
    static final Map<String, String> PROOF =
            Map.of("BELAY_NO_INSTALL", "1", "JAVA_HOME", System.getProperty("java.home"));

    @TempDir
    Path directory;

    void copy(String file, String to) throws IOException {
        Path copy = directory.resolve(to);
        Files.createDirectories(copy.getParent());
        Files.copy(Path.of("..", file), copy);
    }

    void append(String file, String lines) throws IOException {
        Files.writeString(directory.resolve(file), lines, StandardOpenOption.APPEND);
    }

    Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().remove("BELAY_BUILDING"); // as what is started is not called by a build
        builder.environment().putAll(environment);
        return builder.start();
    }

    static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
