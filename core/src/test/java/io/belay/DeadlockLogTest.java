package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The line that each process logs of a deadlock. */
@Timeout(600)
class DeadlockLogTest {
    private final String store = "memory:" + UUID.randomUUID();
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final CountDownLatch held = new CountDownLatch(2);

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void listenNoMore() {
        System.setErr(before);
    }

    private Belay client(String name) {
        return Belay.connect(
                store, BelayOptions.defaults().withClientName(name).withDeadlockCheck(Duration.ofMillis(100)));
    }

    /** What a thread does that holds a lock and waits for another. */
    private interface Body {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // the end of the test
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private void takesBoth(Belay belay, String first, Body second) throws InterruptedException {
        try (Lease lease = belay.lock(first).acquire()) {
            held.countDown();
            held.await();
            second.run();
            lease.ensureHeld();
        }
    }

    private static void waitsForEight(Belay belay) throws InterruptedException {
        belay.lock("account:8").acquire().close();
    }

    private static void waitsForSeven(Belay belay) throws InterruptedException {
        belay.lock("account:7").acquire().close();
    }

    private List<String> lines() {
        return logged.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("Deadlock"))
                .toList();
    }

    @Test
    void eachProcessLogsTheRingAndTheStackOfItsOwnThread() throws Exception {
        try (Belay a = client("shop-1");
                Belay b = client("shop-2")) {
            Thread one = start("transfer-1", () -> takesBoth(a, "account:7", () -> waitsForEight(a)));
            Thread other = start("transfer-2", () -> takesBoth(b, "account:8", () -> waitsForSeven(b)));
            await().until(() -> lines().size() == 2);
            one.interrupt();
            other.interrupt();
            one.join();
            other.join();
        }
        String first = lines().stream()
                .filter(line -> line.contains("while thread transfer-1 waited for the lock 'account:8'"))
                .findFirst()
                .orElseThrow();
        String second = lines().stream()
                .filter(line -> line.contains("while thread transfer-2 waited for the lock 'account:7'"))
                .findFirst()
                .orElseThrow();
        assertThat(first)
                .contains("WARN io.belay.waits")
                .containsPattern("client shop-2 \\(process \\d+ on [^,]+, thread transfer-2\\) holds 'account:8' "
                        + "\\(token \\d+, for \\d+ ms\\) and has waited for 'account:7' for \\d+ ms; "
                        + "this client \\(process \\d+ on [^,]+, thread transfer-1\\) holds 'account:7' ")
                .contains("Its stack: at ", "DeadlockLogTest.waitsForEight(")
                .doesNotContain("waitsForSeven", "gives up");
        assertThat(second)
                .contains("client shop-1 (", "this client (", "DeadlockLogTest.waitsForSeven(")
                .doesNotContain("waitsForEight", "gives up");
    }
}
