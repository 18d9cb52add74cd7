package io.belay.trials.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The runner of Spring Integration's tests, by small ones of the same form: Spring's are not here. */
class RegistryMainTest {
    @TempDir
    private Path directory;

    private final StringWriter said = new StringWriter();

    private int run(String... arguments) {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String root = System.getProperty("belay.root");
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setProperty("belay.root", directory.resolve("root").toString());
        System.setProperty("belay.registry.timeout", Pace.seconds() + " s");
        try {
            CommandLine command = RegistryMain.command();
            command.setErr(new PrintWriter(said, true));
            return command.execute(arguments);
        } finally {
            System.setOut(before);
            System.clearProperty("belay.registry.timeout");
            if (root == null) {
                System.clearProperty("belay.root");
            } else {
                System.setProperty("belay.root", root);
            }
            said.append(out.toString(StandardCharsets.UTF_8));
        }
    }

    /** Writes a test of Spring's form, somewhere below the directory. */
    private void write(String methods) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("a/b"));
        Files.writeString(folder.resolve("RedisLockRegistryTests.java"), """
                package org.springframework.integration.redis.util;

                import java.util.Map;
                import java.util.concurrent.locks.Lock;
                import org.junit.jupiter.api.Test;
                import org.springframework.data.redis.connection.RedisConnectionFactory;
                import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
                import org.springframework.integration.test.util.TestUtils;

                import static org.assertj.core.api.Assertions.assertThat;
                import static org.mockito.Mockito.mock;

                class RedisLockRegistryTests {
                    private final RedisLockRegistry registry = new RedisLockRegistry(new RedisConnectionFactory(), "key");

                    @Test
                    void testLock() {
                        registry.setRedisLockType(RedisLockType.SPIN_LOCK);
                        Lock lock = registry.obtain("a");
                        lock.lock();
                        assertThat(registry.obtain("a")).isSameAs(lock);
                        assertThat(TestUtils.<Map<String, Lock>>getPropertyValue(registry, "locks")).containsOnlyKeys("a");
                        lock.unlock();
                    }
                    METHODS
                }
                """.replace("METHODS", methods));
    }

    @Test
    void aTestRunsOnBelay() throws IOException {
        write("");
        assertThat(run(directory.toString(), "--store", "memory,file")).isZero();
        assertThat(said.toString())
                .containsPattern("memory +RedisLockRegistryTests +1 passed, 0 declared, 0 FAILED")
                .containsPattern("file +RedisLockRegistryTests +1 passed, 0 declared, 0 FAILED");
    }

    @Test
    void whatIsNotDeclaredAndFailsIsTold() throws IOException {
        write("""
                @Test
                void testAnything() {
                    throw new IllegalStateException("thrown by the test");
                }

                @Test
                void setCapacityTest() {
                    registry.setCacheCapacity(1);
                    registry.obtain("b");
                    assertThat(TestUtils.<Map<String, Lock>>getPropertyValue(registry, "locks")).hasSize(1);
                }
                """);
        assertThat(run(directory.toString(), "--store", "memory")).isEqualTo(1);
        assertThat(said.toString())
                .contains("1 passed, 1 declared, 1 FAILED")
                .contains(
                        "FAILED RedisLockRegistryTests.testAnything: java.lang.IllegalStateException: thrown by the test");
        assertThat(run(directory.toString(), "--store", "memory", "RedisLockRegistryTests.testLock"))
                .isZero();
    }

    @Test
    void whatIsDeclaredAndPassesOrFailsOtherwiseIsTold() throws IOException {
        write("""
                @Test
                void setCapacityTest() {}

                @Test
                void testThreadLocalListLeaks() {
                    throw new IllegalStateException("another reason");
                }
                """);
        assertThat(run(directory.toString(), "--store", "memory")).isEqualTo(1);
        assertThat(said.toString())
                .contains("setCapacityTest passes, though it is declared not to: take it off the table (CACHE)")
                .contains("testThreadLocalListLeaks fails otherwise than declared (CACHE): ")
                .contains("another reason");
    }

    @Test
    void wrongUsageIsOneLine() {
        assertThat(run()).isEqualTo(2);
        assertThat(run(directory.resolve("none").toString())).isEqualTo(2);
        assertThat(run(directory.toString())).isEqualTo(2);
        assertThat(run(directory.toString(), "--store", "paper")).isEqualTo(2);
        assertThat(run(directory.toString(), "PaperTests")).isEqualTo(2);
        assertThat(said.toString().lines())
                .hasSize(5)
                .allMatch(line -> line.startsWith("trials/registry: "))
                .anyMatch(line -> line.contains("no store 'paper'; there are: memory, file, redis"))
                .anyMatch(line -> line.contains("holds none of RedisLockRegistryTests"));
    }

    @Test
    void theTableCanBeRead() {
        assertThat(run("--declared")).isZero();
        assertThat(said.toString()).contains("there is no cache").contains("    ZkLockRegistryTests.setCapacityTest");
    }
}
