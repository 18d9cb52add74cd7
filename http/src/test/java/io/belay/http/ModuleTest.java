package io.belay.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The application is a named module. */
class ModuleTest {
    @Test
    void whoOnlySendsTokensNeedsNoServlets(@TempDir Path directory) throws Exception {
        Path module =
                Files.writeString(directory.resolve("module-info.java"), "module sender { requires io.belay.http; }");
        String path = Stream.of(FencedRequests.class, Belay.class, Logger.class)
                .map(ModuleTest::place)
                .collect(Collectors.joining(File.pathSeparator));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            ToolProvider.findFirst("javac")
                    .orElseThrow()
                    .run(out, out, "-Xlint:all", "-d", directory.toString(), "-p", path, module.toString());
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
