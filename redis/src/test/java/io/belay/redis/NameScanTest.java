package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Store;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The names on one server. */
@ParameterizedClass
@EnumSource
class NameScanTest {
    private static RedisServer server;
    private static Store store;

    NameScanTest(Version version) {}

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.start(version);
        store = Redis.at(server.url() + "?timeout=1m").open(1, new RecordingListener());
    }

    @AfterParameterizedClassInvocation
    static void end() {
        store.close();
        server.close();
    }

    private static Store.NamePage page(String prefix, String cursor) {
        return store.names(prefix, cursor).toCompletableFuture().join();
    }

    /** Adds the names on all pages from a cursor on. Returns the number of pages. */
    private static int read(String prefix, String cursor, Set<String> names) {
        int pages = 0;
        for (Optional<String> next = Optional.of(cursor); next.isPresent(); pages++) {
            Store.NamePage page = page(prefix, next.get());
            names.addAll(page.names());
            next = page.next();
        }
        return pages;
    }

    @Test
    void keysOfOthersAndThoseThatAreNoTextAreNoNames() throws Exception {
        server.command("FLUSHALL");
        server.command("MSET", "belay", "1", "other:x", "1", "Belay:x", "1", "xbelay:x", "1", "belay:y", "1");
        server.command("EVAL", "return redis.call('SET', 'belay:y\\255', '1')", "0");
        Set<String> names = new HashSet<>();
        assertThat(read("", "", names)).isOne();
        assertThat(names).containsExactly("y");
    }

    @Test
    void aPageIsSmallAndAnotherRunOfTheServerIsReadFromTheBeginning() throws Exception {
        server.command("FLUSHALL");
        server.command("EVAL", "for i = 1, 5000 do redis.call('SET', 'belay:n' .. i, '1') end", "0");
        Store.NamePage first = page("", "");
        assertThat(first.names()).hasSizeBetween(1, 2_000);
        String cursor = first.next().orElseThrow();
        Set<String> rest = new HashSet<>();
        assertThat(read("", cursor, rest)).isBetween(3, 10);
        assertThat(rest).hasSizeLessThan(5_000);
        rest.addAll(first.names());
        assertThat(rest).hasSize(5_000);

        String otherRun = "0123456789abcdef" + cursor.substring(16);
        Set<String> all = new HashSet<>();
        read("", otherRun, all);
        assertThat(all).hasSize(5_000);
        Set<String> few = new HashSet<>();
        read("n100", "", few);
        assertThat(few)
                .containsExactlyInAnyOrder(
                        "n100", "n1000", "n1001", "n1002", "n1003", "n1004", "n1005", "n1006", "n1007", "n1008",
                        "n1009");
    }

    @Test
    void aPatternStandsForItsCharactersAlone() {
        byte[] pattern = NameScan.pattern("a*b?c[d]e\\f^g-\u00fc".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(pattern, StandardCharsets.UTF_8)).isEqualTo("a\\*b\\?c\\[d\\]e\\\\f^g-\u00fc*");
    }
}
