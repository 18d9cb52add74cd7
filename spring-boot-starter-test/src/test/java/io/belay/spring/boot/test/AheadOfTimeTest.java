package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.test.context.aot.TestContextAotGenerator;

/** What a build does ahead of time with tests that have the annotation: it would fail as a whole if one could not be. */
class AheadOfTimeTest {
    @Test
    void aTestWithTheAnnotationIsLeftOut() {
        InMemoryGeneratedFiles made = new InMemoryGeneratedFiles();
        new TestContextAotGenerator(made, new RuntimeHints(), true)
                .processAheadOfTime(Stream.of(TestLocksTest.class, OwnClientTest.class));
        assertThat(made.getGeneratedFiles(Kind.SOURCE).keySet())
                .noneMatch(file -> file.contains("TestLocks") || file.contains("OwnClient"));
    }
}
