package io.belay.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages on locks and primitives show compiles as it stands there. */
class DocsTest {
    private static final List<String> IMPORTS =
            List.of("io.belay.*", "io.belay.recipes.*", "java.time.Duration", "java.util.*", "java.util.concurrent.*");
    private static final String FIELDS = """
            Belay belay; DistributedSemaphore semaphore; Object job; String ticket; org.slf4j.Logger log; Order order;
            interface Order {} interface Receipt {}
            interface Carrier { void call(); } Carrier carrier;
            interface Scheduler { void run(long token); void stop(); } Scheduler scheduler;
            abstract void send(Object job, String ticket);
            abstract String report();
            abstract void print(String text);
            abstract Optional<Order> sellFrom(int segment, long token);
            abstract void sellAll(List<BatchedLock.Entry<Order, Receipt>> entries, long token);
            """;

    @ParameterizedTest
    @ValueSource(strings = {"locks.md", "primitives.md"})
    void theSnippetsCompile(String page) throws Exception {
        Snippets snippets = Snippets.of(page);
        assertThat(snippets.count()).isGreaterThan(1);
        assertThat(snippets.complaints(DocsTest.class, IMPORTS, FIELDS)).isEmpty();
        assertThat(snippets.complaints(DocsTest.class, IMPORTS, "")).isNotEmpty();
    }
}
