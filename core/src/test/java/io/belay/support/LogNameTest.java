package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of the logs are those that users are told. */
class LogNameTest {
    @Test
    void theNamesAreThoseOfTheTable() throws IOException {
        List<String> told = Files.readAllLines(Path.of("../docs/operations.md")).stream()
                .filter(line -> line.startsWith("| `io.belay."))
                .map(line -> line.split("`")[1])
                .toList();
        assertThat(told)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(LogName.values()).map(LogName::text).toList());
    }
}
