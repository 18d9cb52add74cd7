package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.cli.text.CliException;
import io.belay.servers.CommandRun;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import io.belay.servers.ZooKeeperServer;
import io.belay.shop.ledger.Ledger;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a sale with nodes as processes does besides selling; sales without a fault, segments, batches and a paused node are checked
 * by {@code scripts/checks/10-flash-sale.sh}.
 */
@Tag("processes")
@Tag("long")
class FlashSaleTest {
    @TempDir
    private Path directory;

    private Map<String, String> environment() {
        // The nodes' Java VMs are told of it too, so that what they leave behind is found.
        return Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + directory);
    }

    private List<String> leftBehind() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    // A short way to the sockets of a store with a long path, by a node that was killed.
                    .filter(name -> !name.matches("belay\\d+"))
                    .toList();
        }
    }

    /** As Debian has it where nothing but a JDK was installed: what it has of programs is the shell's own. */
    private CommandRun saleWithoutPrograms(String options) throws Exception {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("PATH", directory.toString());
        return SaleProcess.run(environment, ("flash-sale " + options).split(" ", -1));
    }

    private CommandRun sale(String options) throws Exception {
        return SaleProcess.run(environment(), ("flash-sale " + options).split(" ", -1));
    }

    /** Returns the report; before and behind it stands what went to the error output. */
    private static JsonNode json(CommandRun run) {
        String output = run.output() + "\n";
        int begin = output.indexOf("\n{") + 1;
        return JsonMapper.shared().readTree(output.substring(begin, output.indexOf("\n}\n", begin) + 2));
    }

    /** Checks that the sale was long enough for the fault, and the node in which it was had the lock. */
    private static void hitsTheHolder(JsonNode fault) {
        Premise.check(fault.path("unitsLeft").asInt(0) > 0, "units are left to sell when the fault comes");
        Premise.check(fault.path("heldLock").asBoolean(false), "the node has the lock when the fault comes");
    }

    @Test
    void thePageShowsTheLocksOfTheSale() throws Exception {
        Process process = SaleProcess.start(
                environment(), "flash-sale --page --nodes 1 --stock 20 --orders 30 --clients 10".split(" ", -1));
        try (BufferedReader output = process.inputReader()) {
            String begin = "watch the locks at ";
            String line = output.readLine();
            while (line != null && !line.startsWith(begin)) {
                line = output.readLine();
            }
            assertThat(line).as("where the page is").isNotNull();
            URI events = URI.create(line.substring(begin.length()) + "events");
            HttpResponse<Stream<String>> stream = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(events).build(), BodyHandlers.ofLines());
            try (Stream<String> frames = stream.body()) {
                assertThat(frames.filter(frame -> frame.startsWith("data: "))
                                .map(frame -> JsonMapper.shared()
                                        .readTree(frame.substring(6))
                                        .path("rows"))
                                .filter(rows -> rows.path(0).path("waiters").asInt() > 0)
                                .map(rows -> rows.path(0).path("name").asString())
                                .findFirst())
                        .hasValueSatisfying(name -> assertThat(name).startsWith("stock:item"));
            }
            List<String> rest = output.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", rest)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Neither Spring nor anybody else looks into a variable's value. */
    @Test
    void valuesOfVariablesAreTakenAsTheyAre() throws Exception {
        Path place = Files.createDirectory(directory.resolve("a${b}c${BELAY_SHOP_NODE}$1\\${BELAY_SHOP_STORE}}"));
        Map<String, String> environment =
                Map.of("BELAY_SHOP_STORE", "file:" + place.resolve("locks"), "PLACE", place.toString(), "b", "wrong");
        CommandRun run = SaleProcess.run(
                environment,
                "flash-sale",
                "--json",
                "--nodes",
                "1",
                "--stock",
                "5",
                "--orders",
                "10",
                "--store",
                "${BELAY_SHOP_STORE}",
                "--ledger",
                "jdbc:sqlite:${PLACE}/ledger.db");
        assertThat(run.exitCode()).as(run.output()).isZero();
        JsonNode report = json(run);
        assertThat(report.path("sold").asInt()).isEqualTo(5);
        assertThat(report.path("ledger").asString()).isEqualTo("jdbc:sqlite:${PLACE}/ledger.db");
        assertThat(place.resolve("locks/belay-store")).exists();
        assertThat(place.resolve("ledger.db")).exists();
    }

    /** The nodes listen on 127.0.0.1, and Java's own loopback address is ::1 then. */
    @Test
    void whereIpv6IsPreferredTheClientsFindTheNodes() throws Exception {
        String options = environment().get("JAVA_TOOL_OPTIONS") + " -Djava.net.preferIPv6Addresses=true";
        CommandRun run = SaleProcess.run(
                Map.of("JAVA_TOOL_OPTIONS", options), "flash-sale --nodes 1 --stock 5 --orders 10".split(" ", -1));
        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    /** Called in the shell, and in the directory, of somebody who develops with Spring Boot. */
    @Test
    void theCallersOwnSettingsDoNotReachTheNodes() throws Exception {
        Path config = Files.createDirectories(directory.resolve("project/config"));
        Files.writeString(config.resolve("application.properties"), "server.servlet.context-path=/api\n");
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("LOGGING_LEVEL_IO_BELAY", "nonsense");
        environment.put("server.servlet.context-path", "/shop");
        environment.put("BELAY_SHOP_SEGMENTS", "-1");
        CommandRun run = SaleProcess.runIn(
                config.getParent(), environment, "flash-sale --nodes 1 --stock 5 --orders 10".split(" ", -1));
        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    @Test
    void withoutALockItOversellsAndSaysSo() throws Exception {
        CommandRun run = sale("--strategy none --nodes 2 --stock 20 --orders 100");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(3);
        assertThat(run.output()).contains("node-2  ####").contains("had been sold before");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void aKilledNodeTakesNoUnitWithIt() throws Exception {
        Premise.withLease(Duration.ofSeconds(2), this::aKilledNodeTakesNoUnitWithIt);
    }

    private void aKilledNodeTakesNoUnitWithIt(Duration lease) throws Exception {
        int stock = (int) lease.toMillis() * 3 / 20;
        int orders = stock + 200;
        Stalls stalls = Stalls.watch();
        CommandRun run = saleWithoutPrograms("--json --stock " + stock + " --orders " + orders + " --lease "
                + lease.toMillis() + "ms --nodes 2 --kill-a-node-after 300ms");
        stalls.close();
        assertThat(run.exitCode()).as(run.output()).isIn(0, CliException.FELL_SHORT);
        JsonNode report = json(run);
        assertThat(report.path("sold").asInt()).as(run.output()).isEqualTo(stock);
        assertThat(report.path("oversold").asInt()).isZero();
        assertThat(leftBehind()).isEmpty();
        hitsTheHolder(report.path("killed"));
        assertThat(run.exitCode()).as(run.output()).isZero();
        int handOver = report.path("killed").path("handOverMillis").asInt();
        assertThat(handOver).isNotNegative();
        stalls.inTime(handOver <= lease.toMillis() + 500, "the lock is handed over when the lease ends");
        assertThat(report.path("sold").asInt() + report.path("soldOut").asInt())
                .isLessThanOrEqualTo(orders)
                .isGreaterThanOrEqualTo(orders - report.path("unknown").asInt());
    }

    /** There the claim of a paused node stands for its session, however short its lease is. */
    @Test
    void aNodeOnZooKeeperIsPausedUntilAnotherHasHadTheLock() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            Premise.withLease(Duration.ofSeconds(3), lease -> {
                CommandRun run =
                        sale("--json --stock 60 --orders 80 --clients 10 --nodes 2 --work 50ms --guard off --lease "
                                + lease.toMillis() + "ms --pause-a-node-after 1s --store " + server.url()
                                + "?session-timeout=" + lease.multipliedBy(4).toMillis() + "ms");
                Premise.check(run.exitCode() != CliException.USAGE, "the store gives all a session in time");
                JsonNode paused = json(run).path("paused");
                hitsTheHolder(paused);
                assertThat(paused.path("passedOn").asBoolean(false))
                        .as(run.output())
                        .isTrue();
                // Whether it had read the stock when it was paused is a matter of luck.
                assertThat(run.exitCode()).as(run.output()).isIn(0, CliException.OVERSOLD);
            });
        }
    }

    @Test
    void aKillThatComesTooLateFallsShort() throws Exception {
        CommandRun run = sale("--nodes 2 --stock 5 --orders 10 --kill-a-node-after 60s");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        assertThat(run.output()).contains("no node was killed");
    }

    /** A name can be sold under but once in a ledger. */
    @Test
    void aNodeThatCannotStartIsToldInOneLineAndHasUsedNoNameUp(@TempDir Path books) throws Exception {
        String url = "jdbc:sqlite:" + books.resolve("ledger.db");
        Map<String, String> environment =
                Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + directory + " -Dlogging.level.io.belay=nonsense");
        CommandRun run = SaleProcess.run(
                environment, ("flash-sale --nodes 1 --strategy none --sku spring --ledger " + url).split(" ", -1));
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output()).contains("belay: node-1 did not start: ").doesNotContain("\tat ");
        assertThat(leftBehind()).isEmpty();
        try (Ledger ledger = Ledger.open(url, null, null, 1)) {
            assertThat(ledger.stock("spring")).isEmpty();
        }
    }

    /** A sale that stays, and what it printed of itself. */
    private record Staying(Process process, List<ProcessHandle> nodes, String orders) implements AutoCloseable {
        Staying(Process process, List<String> orders) {
            this(process, process.children().toList(), orders.get(0));
            assertThat(nodes).hasSameSizeAs(orders);
        }

        int status(String path) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(path)).build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        }

        boolean nodesLive() {
            return nodes.stream().anyMatch(ProcessHandle::isAlive);
        }

        @Override
        public void close() {
            process.destroyForcibly();
            nodes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Staying stay(int count) throws Exception {
        Process process = SaleProcess.start(
                environment(), "flash-sale", "--keep", "--orders", "0", "--strategy", "none", "--nodes", "" + count);
        try {
            return new Staying(process, orders(process, count));
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** The addresses, once they are printed. */
    private static List<String> orders(Process process, int count) throws Exception {
        BufferedReader reader = process.inputReader();
        List<String> orders = new ArrayList<>();
        while (orders.size() < count) {
            String line = reader.readLine();
            assertThat(line).isNotNull();
            if (line.startsWith("http://") && line.endsWith("/orders")) {
                orders.add(line);
            }
        }
        return orders;
    }

    @Test
    void itStaysUntilASignalAndTakesTheNodesAndItsFilesAlong() throws Exception {
        try (Staying sale = stay(2)) {
            assertThat(sale.status(sale.orders())).isEqualTo(201);
            assertThat(sale.status(sale.orders().replace("/orders", ""))).isEqualTo(200);
            sale.process().destroy();
            assertThat(sale.process().waitFor()).isEqualTo(143);
            assertThat(sale.nodesLive()).isFalse();
            assertThat(leftBehind()).isEmpty();
        }
    }

    @Test
    void noNodeOutlivesACommandThatIsKilled() throws Exception {
        try (Staying sale = stay(1)) {
            sale.process().destroyForcibly();
            await().until(() -> !sale.nodesLive());
        }
    }
}
