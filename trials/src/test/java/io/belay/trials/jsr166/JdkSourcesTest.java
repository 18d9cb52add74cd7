package io.belay.trials.jsr166;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.belay.trials.jsr166.Verdict.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs a few tests that are made here in the place of the JDK's. */
@Tag("long")
class JdkSourcesTest {
    private static final String COMMON = """
            import java.util.concurrent.Semaphore;
            import junit.framework.TestCase;

            public class JSR166TestCase extends TestCase {
                static Object all() {
                    return new Object[] {PhaserTest.suite(), new Item()};
                }
                void blocks(Thread thread, Thread.State expected) throws InterruptedException {
                    while (true) {
                        Thread.State s = thread.getState();
                        if (s == expected)
                            return;
                        Thread.sleep(1);
                    }
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
                public void testReducePermits() throws InterruptedException {
                    Semaphore semaphore = new Semaphore(-1);
                    Thread thread = new Thread(() -> {
                        try {
                            semaphore.tryAcquire(1, java.util.concurrent.TimeUnit.HOURS);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
                    thread.start();
                    blocks(thread, Thread.State.TIMED_WAITING);
                    semaphore.release(3);
                    thread.join();
                    assertEquals(1, semaphore.availablePermits());
                }
                public void testAcquire() throws Exception {
                    boolean[] virtual = new boolean[1];
                    Thread thread = new Thread(() -> virtual[0] = isVirtual());
                    thread.start();
                    thread.join();
                    assertTrue(virtual[0] && isVirtual());
                }
                private static boolean isVirtual() {
                    try {
                        return (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
                    } catch (ReflectiveOperationException e) {
                        return false;
                    }
                }
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

    private List<Outcome> run(Way way, Set<String> methods) throws IOException, InterruptedException {
        Path classes = directory.resolve("classes");
        TestCompiler.compile(copies(), classes);
        return TestRun.of(
                JdkTest.SEMAPHORE,
                new Setting("memory", way),
                "memory:mini",
                classes,
                methods,
                directory.resolve("log"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"DEFAULT", "TWO_CLIENTS"})
    void copiesAreRunOnBelayAndJudged(Way way) throws Exception {
        List<Outcome> outcomes = run(way, Set.of());

        assertThat(outcomes.stream()
                        .collect(Collectors.toMap(
                                Outcome::method, outcome -> Verdict.of(outcome).kind())))
                .isEqualTo(Map.of(
                        "testDrainPermits", Kind.PASSED,
                        "testTryAcquire", Kind.FAILED,
                        "testReducePermits", Kind.PASSED,
                        "testAcquire", Kind.FAILED,
                        "testToString", Kind.DECLARED,
                        "testSerialization", Kind.FAILED));
        assertThat(Files.readString(directory.resolve("log"))).contains("testTryAcquire failed in attempt 1 of 1");
        assertThat(tck.resolve("SemaphoreTest.java")).hasContent(TEST);
    }

    @Test
    void aMethodThatIsNotThereIsToldAsAFailure() throws Exception {
        assertThat(run(Way.DEFAULT, Set.of("testMoon")))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.passed()).isFalse())
                .satisfies(outcome -> assertThat(outcome.message()).isEqualTo("there is no such test"));
    }

    @Test
    void threadsAreVirtualWhereTheyAreToBe() throws Exception {
        assumeThat(Way.VIRTUAL.whyNot()).isEmpty();
        assertThat(run(Way.VIRTUAL, Set.of("testAcquire")))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.passed()).isTrue());
    }

    @Test
    void testsThatLookAtThreadsOtherwiseAreRefused() throws IOException {
        Files.writeString(tck.resolve("JSR166TestCase.java"), COMMON.replace("s == expected", "expected == s"));
        assertThatThrownBy(this::copies)
                .isInstanceOf(IOException.class)
                .hasMessage("JSR166TestCase.java has no line 'if (s == expected)' to change");
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
