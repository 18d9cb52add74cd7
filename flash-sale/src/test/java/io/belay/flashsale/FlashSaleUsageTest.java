package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.CommandRun;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.shop.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each wrong call is one line and exit code 2, and starts nothing. */
class FlashSaleUsageTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flash-sale --nix",
                "flash-sale extra",
                "flash-sale --nodes 0",
                "flash-sale --nodes -1",
                "flash-sale --nodes=-1",
                "flash-sale --nodes three",
                "flash-sale --nodes 99999999999",
                "flash-sale --clients 0",
                "flash-sale --stock 0",
                "flash-sale --orders -5",
                "flash-sale --orders 0",
                "flash-sale --work 5",
                "flash-sale --work -1ms",
                "flash-sale --wait 0ms",
                "flash-sale --work -2ms",
                "flash-sale --lease 0s",
                "flash-sale --lease 99ms",
                "flash-sale --lease 400d",
                "flash-sale --wait -1s",
                "flash-sale --wait",
                "flash-sale --strategy hope",
                "flash-sale --segments 5",
                "flash-sale --segments 5 --strategy batch",
                "flash-sale --segments 0 --strategy striped",
                "flash-sale --segments 1001 --strategy striped",
                "flash-sale --clients 10000 --orders 10000000 --nodes 50",
                "flash-sale --store memory:x --strategy batch",
                "flash-sale --guard maybe",
                "flash-sale --sku a/b",
                "flash-sale --sku -",
                "flash-sale --nodes 1 --kill-a-node-after 1s",
                "flash-sale --keep --orders 0 --kill-a-node-after 1s",
                "flash-sale --kill-a-node-after 0s",
                "flash-sale --pause-a-node-after 1s --strategy none",
                "flash-sale --pause-a-node-after 1s --nodes 1",
                "flash-sale --store memory:x",
                "flash-sale --page --strategy none",
                "flash-sale --page --nodes 1 --store memory:x",
                "flash-sale --store nix:x",
                "flash-sale --store nix",
                "flash-sale --store-file /no/such/file",
                "flash-sale --store file:x --store-file x",
                "flash-sale --ledger jdbc:h2:mem:x",
                "flash-sale --ledger jdbc:sqlite:/no/such/directory/ledger.db",
                "flash-sale --ledger jdbc:postgresql://127.0.0.1:1/x?user=u",
                "flash-sale --ledger jdbc:mariadb://127.0.0.1:1/x?user=u",
                "flash-sale --ledger jdbc:mysql://127.0.0.1:1/x?user=u",
                "flash-sale --store ${BELAY_TEST_NO_SUCH}"
            })
    void usage(String line) throws Exception {
        assertOneLine(line.split(" ", -1));
    }

    private static String assertOneLine(String... args) throws Exception {
        CommandRun run = SaleProcess.inside(args);
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output().strip()).startsWith("belay: ").doesNotContain("\n", "Exception");
        assertThat(run.output().strip().length()).isGreaterThan(20);
        return run.output();
    }

    @Test
    void aNameThatWasOnSaleBeforeIsRefused() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("ledger.db");
        try (Ledger ledger = Ledger.open(url, null, null, 1)) {
            ledger.create("spring", 1);
        }
        assertThat(assertOneLine("flash-sale", "--sku", "spring", "--ledger", url))
                .contains("has been on sale");
    }

    @Test
    void noSecretIsPrinted() throws Exception {
        assertThat(assertOneLine("flash-sale", "--ledger", "jdbc:postgresql://127.0.0.1:1/x?user=u&password=geheim"))
                .contains("127.0.0.1:1")
                .doesNotContain("geheim");
        assertThat(assertOneLine("flash-sale", "--store", "nix://u:geheim@host/1"))
                .doesNotContain("geheim");
        assertThat(assertOneLine("flash-sale", "nix://u:geheim@host/1")).doesNotContain("geheim");
        Path file = Files.writeString(directory.resolve("url"), "nix://u:geheim@host/1");
        assertThat(assertOneLine("flash-sale", "--store-file", file.toString())).doesNotContain("geheim");
    }

    @Test
    void aServerThatRefusesIsOneLine() throws Exception {
        try (RedisServer server =
                RedisServer.builder(Version.V7_0).password("geheim-1").start()) {
            assertThat(assertOneLine(
                            "flash-sale", "--orders", "1", "--store", "redis://:geheim-2@127.0.0.1:" + server.port()))
                    .contains("refused the user or password")
                    .doesNotContain("geheim");
        }
    }

    /** Each of thousands of orders would be refused, again and again. */
    @Test
    void aStoreThatKeepsNoLockForSoLongIsToldBeforeNodesAreStarted() throws Exception {
        try (RedisServer a = RedisServer.builder(Version.V7_0).start();
                RedisServer b = RedisServer.builder(Version.V7_0).start();
                RedisServer c = RedisServer.builder(Version.V7_0).start()) {
            String store = Stream.of(a, b, c)
                    .map(server -> "redis://127.0.0.1:" + server.port())
                    .collect(Collectors.joining(",", "quorum:", "#longest-lease=60s"));
            CommandRun run = SaleProcess.inside(
                    "flash-sale", "--orders", "1", "--nodes", "1", "--lease", "2m", "--store", store);
            assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
            assertThat(run.output().lines().filter(line -> line.startsWith("belay: ")))
                    .singleElement()
                    .asString()
                    .contains("'stock:item-", "longest-lease");
        }
    }

    /** As where /tmp is mounted noexec. */
    @Test
    void aDirectoryFromWhichNoLibraryIsLoadedIsNamed() throws Exception {
        CommandRun run = SaleProcess.run(
                Map.of("JAVA_TOOL_OPTIONS", "-Dorg.sqlite.tmpdir=/proc"), "flash-sale", "--strategy", "none");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output().lines().filter(line -> !line.startsWith("Picked up ")))
                .singleElement()
                .asString()
                .contains("cannot load its library from /proc, which may be full or mounted noexec");
    }
}
