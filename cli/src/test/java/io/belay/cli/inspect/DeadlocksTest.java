package io.belay.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.cli.Cli;
import io.belay.cli.text.Json;
import io.belay.servers.CommandRun;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command that shows threads which wait for each other's locks, beside such threads. */
class DeadlocksTest {
    private static final Duration ANY = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private static Belay client(String store, String name) {
        BelayOptions options = BelayOptions.defaults().withDeadlockCheck(Duration.ofMillis(100));
        return Belay.connect(store, options.withClientName(name));
    }

    /** Starts a thread that holds one lock and, when all hold theirs, waits for another; an interrupt ends the wait. */
    private static Thread start(Belay belay, String thread, String holds, String waitsFor, CountDownLatch held) {
        Thread started = new Thread(
                () -> {
                    try (Lease lease = belay.lock(holds).acquire()) {
                        held.countDown();
                        held.await();
                        belay.lock(waitsFor).acquire().close();
                        assertThat(lease.isHeld()).isTrue();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // it gives back what it holds
                    }
                },
                thread);
        started.start();
        return started;
    }

    @Test
    void aRingIsDrawnAndToldByTheExitCode() throws Exception {
        Premise.withLease(ANY, lease -> aRingIsDrawn("file:" + directory.resolve("locks-" + lease.toSeconds())));
    }

    private static void aRingIsDrawn(String store) throws Exception {
        try (Belay a = client(store, "shop-1");
                Belay b = client(store, "shop-2")) {
            CountDownLatch held = new CountDownLatch(2);
            List<Thread> threads = List.of(
                    start(a.onBehalfOf("order 1"), "transfer-1", "account:7", "account:8", held),
                    start(b.onBehalfOf("order 2"), "transfer-2", "account:8", "account:7", held));
            try {
                await().until(() -> deadlocks(a).stream().anyMatch(found -> !found.isEmpty()));

                CommandRun drawn = Cli.answered(Cli.run(Map.of(), "deadlocks", "--store", store));
                assertThat(drawn.exitCode()).as(drawn.output()).isEqualTo(1);
                assertThat(masked(drawn.output())).isEqualTo(masked(inTheDocs()));

                CommandRun told = Cli.answered(Cli.inside("deadlocks", "--json", "--store", store));
                assertThat(told.exitCode()).isEqualTo(1);
                Optional<List<Deadlock>> same = deadlocks(a);
                Premise.check(same.isPresent(), "the store answers in time");
                check(same.orElseThrow().get(0), Json.read(told.output()));
            } finally {
                end(threads);
            }
            CommandRun none = Cli.answered(Cli.inside("deadlocks", "--store", store));
            assertThat(none.exitCode()).isZero();
            assertThat(none.output()).isEqualToIgnoringNewLines("no deadlock");
            CommandRun empty = Cli.answered(Cli.inside("deadlocks", "--json", "--store", store));
            assertThat(Json.read(empty.output()).path("deadlocks")).isEmpty();
        }
    }

    /** Who may write one key beside Belay's does not take the view of all others from the operator. */
    @Test
    void aKeyOfAnotherProgramHidesNothing() throws Exception {
        Premise.withLease(ANY, lease -> {
            try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
                server.command("SET", "belay:foreign", "x");
                server.command("SET", "belay:" + "x".repeat(600), "x");
                aRingIsSeenBesideAForeignKey(server.url());
            }
        });
    }

    private static void aRingIsSeenBesideAForeignKey(String store) throws Exception {
        try (Belay a = client(store, "shop-1");
                Belay b = client(store, "shop-2")) {
            CountDownLatch held = new CountDownLatch(2);
            List<Thread> threads = List.of(
                    start(a, "transfer-1", "account:7", "account:8", held),
                    start(b, "transfer-2", "account:8", "account:7", held));
            try {
                await().until(() -> deadlocks(a).stream().anyMatch(found -> !found.isEmpty()));
                CommandRun drawn = Cli.answered(Cli.run(Map.of(), "deadlocks", "--store", store));
                assertThat(drawn.exitCode()).as(drawn.output()).isEqualTo(1);
                assertThat(drawn.output())
                        .contains("deadlock of 2", "belay: Not all deadlocks may be known: ", "belay:foreign");
                CommandRun listed = Cli.answered(Cli.inside("locks", "--store", store));
                assertThat(listed.exitCode()).as(listed.output()).isZero();
                assertThat(listed.output())
                        .containsPattern("(?m)^account:7 ")
                        .containsPattern("(?m)^foreign +[?]")
                        .contains("Not all is known (?): ");
            } finally {
                end(threads);
            }
        }
    }

    /** Returns the deadlocks that a client sees; empty if the store does not answer in time. */
    private static Optional<List<Deadlock>> deadlocks(Belay client) {
        try {
            return Optional.of(client.admin().deadlocks());
        } catch (StoreUnavailableException e) {
            return Optional.empty();
        }
    }

    private static void end(List<Thread> threads) throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void check(Deadlock deadlock, JsonNode json) {
        assertThat(json.path("deadlocks")).hasSize(1);
        assertThat(json.path("deadlocks").get(0).path("permits").asBoolean()).isFalse();
        JsonNode ring = json.path("deadlocks").get(0).path("ring");
        assertThat(ring).hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonNode edge = ring.get(i);
            Deadlock.Edge same = deadlock.ring().stream()
                    .filter(one -> one.holds().equals(edge.path("holds").asString()))
                    .findFirst()
                    .orElseThrow();
            assertThat(edge.path("client").asString()).isEqualTo(same.client());
            assertThat(edge.path("host").asString()).isEqualTo(same.host());
            assertThat(edge.path("process").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(edge.path("thread").asString()).isEqualTo(same.thread());
            assertThat(edge.path("behalf").asString()).isEqualTo(same.behalf());
            assertThat(edge.path("token").asLong()).isEqualTo(same.token());
            assertThat(edge.path("heldMillis").asLong()).isPositive();
            assertThat(edge.path("waitsFor").asString()).isEqualTo(same.waitsFor());
            assertThat(edge.path("waitedMillis").asLong()).isPositive();
            assertThat(edge.path("victim").asBoolean())
                    .as("these locks only report")
                    .isFalse();
        }
    }

    private static String inTheDocs() throws IOException {
        String text = Files.readString(Path.of("../docs/deadlocks.md"));
        int begin = text.indexOf("deadlock of 2\n");
        return text.substring(begin, text.indexOf("```", begin));
    }

    /** Returns what is the same wherever and whenever it is drawn; the ring may begin at either of its threads. */
    private static String masked(String drawn) {
        String same = drawn.strip()
                .replaceAll("\\d+\\.\\d s", "0.0 s")
                .replaceAll("process \\d+ on [^,]+,", "process 1 on web1,")
                .replaceAll("token \\d+", "token 1");
        return same.lines()
                .map(line -> line.replaceAll("account:[78]|shop-[12]|transfer-[12]|order [12]", "x"))
                .reduce("", (text, line) -> text + line + "\n");
    }
}
