package io.belay.trials.jsr166;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.trials.jsr166.Verdict.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a few tests that are made here in the place of the JDK's. */
class JdkSourcesTest {
    private static final String COMMON = """
            import java.util.concurrent.Semaphore;
            import junit.framework.TestCase;

            public class JSR166TestCase extends TestCase {
                static Object all() {
                    return new Object[] {PhaserTest.suite(), new Item()};
                }
                void drained(Semaphore semaphore) {
                    assertEquals(0, semaphore.availablePermits());
                }
            }
            """;

    private static final String TEST = """
            import java.util.concurrent.Semaphore;

            public class SemaphoreTest extends JSR166TestCase {
                public void testDrainPermits() {
                    Semaphore semaphore = new Semaphore(2);
                    assertEquals(2, semaphore.drainPermits());
                    drained(semaphore);
                    assertTrue(semaphore.toString().startsWith("DistributedSemaphore"));
                }
                public void testTryAcquire() {
                    assertTrue(new Semaphore(0).tryAcquire());
                }
                public void testToString() {
                    assertTrue(new Semaphore(0).toString().contains("Permits"));
                }
                public void testSerialization() {}
            }
            """;

    @TempDir
    private Path directory;

    private Path tck;

    @BeforeEach
    void writeSources() throws IOException {
        tck = Files.createDirectories(directory.resolve("jdk/test/jdk/java/util/concurrent/tck"));
        Files.writeString(tck.resolve("JSR166TestCase.java"), COMMON);
        Files.writeString(tck.resolve("SemaphoreTest.java"), TEST);
        Files.writeString(tck.resolve("Item.java"), "public class Item {}\n");
        Files.writeString(tck.resolve("PhaserTest.java"), "This is not compiled.\n");
    }

    private List<Path> copies() throws IOException {
        return JdkSources.in(directory.resolve("jdk")).copy(JdkTest.SEMAPHORE, directory.resolve("copies"));
    }

    @Test
    void copiesAreRunOnBelayAndJudged() throws Exception {
        Path classes = directory.resolve("classes");
        TestCompiler.compile(copies(), classes);
        List<Outcome> outcomes =
                TestRun.of(JdkTest.SEMAPHORE, "memory:mini", classes, Set.of(), directory.resolve("log"));

        assertThat(outcomes.stream()
                        .collect(Collectors.toMap(
                                Outcome::method, outcome -> Verdict.of(outcome).kind())))
                .isEqualTo(Map.of(
                        "testDrainPermits", Kind.PASSED,
                        "testTryAcquire", Kind.FAILED,
                        "testToString", Kind.DECLARED,
                        "testSerialization", Kind.FAILED));
        assertThat(Files.readString(directory.resolve("log"))).contains("testTryAcquire failed in attempt 1 of 1");
        assertThat(tck.resolve("SemaphoreTest.java")).hasContent(TEST);
    }

    @Test
    void aMethodThatIsNotThereIsToldAsAFailure() throws Exception {
        Path classes = directory.resolve("classes");
        TestCompiler.compile(copies(), classes);
        assertThat(TestRun.of(JdkTest.SEMAPHORE, "memory:mini", classes, Set.of("testMoon"), directory.resolve("log")))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.passed()).isFalse())
                .satisfies(outcome -> assertThat(outcome.message()).isEqualTo("there is no such test"));
    }

    @Test
    void aTestThatDoesNotUseTheClassIsRefused() throws IOException {
        Files.writeString(tck.resolve("SemaphoreTest.java"), TEST.replace("import", "import static"));
        assertThatThrownBy(this::copies)
                .isInstanceOf(IOException.class)
                .hasMessage("SemaphoreTest has no line 'import java.util.concurrent.Semaphore;' to change");
    }

    @Test
    void whatCannotBeCompiledIsToldWithItsReason() throws IOException {
        Files.writeString(tck.resolve("Item.java"), "public class Item { int i = ; }\n");
        List<Path> copies = copies();
        assertThatThrownBy(() -> TestCompiler.compile(copies, directory.resolve("classes")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("illegal start of expression")
                .hasMessageContaining("set JAVA_HOME");
    }
}
