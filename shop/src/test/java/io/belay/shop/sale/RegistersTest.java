package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Premise;
import io.belay.shop.ledger.Counts;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.sale.Outcome.Reason;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistersTest {
    private static final Outcome SOLD_OUT = new Outcome.SoldOut();

    /** The longest that a node which is closed waits for a write of its counts that is under way. */
    private static final Duration LONGEST_WRITE = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private static Outcome again(Reason reason) {
        return new Outcome.TryAgain(reason, "by the test");
    }

    private static Counts counts(Registers registers) {
        return registers.status("sku").orElseThrow().counts();
    }

    @Test
    void eachNodeShowsTheCountsOfAllAndItsOwnAtOnce() throws Exception {
        Premise.withLease(
                LONGEST_WRITE, lease -> countsAreShown(directory.resolve("ledger-" + lease.toSeconds() + ".db")));
    }

    private static void countsAreShown(Path file) {
        try (Ledger ledger = Ledger.open("jdbc:sqlite:" + file, null, null, 3);
                Registers other = new Registers(ledger, "node-2")) {
            ledger.create("sku", 1);
            long closing;
            try (Registers first = new Registers(ledger, "node-1")) {
                first.add("sku", SOLD_OUT);
                first.add("sku", again(Reason.LOCK_TIMEOUT));
                first.add("sku", again(Reason.STALE_WRITE));
                first.add("sku", again(Reason.STORE_UNAVAILABLE));
                assertThat(counts(first)).isEqualTo(new Counts(1, 1, 1));
                await().untilAsserted(() -> assertThat(counts(other)).isEqualTo(new Counts(1, 1, 1)));
                first.add("sku", SOLD_OUT);
                closing = System.nanoTime();
            }
            Premise.check(
                    System.nanoTime() - closing < LONGEST_WRITE.toNanos(),
                    "a write that is under way is over before the longest wait for it");
            assertThat(counts(other)).as("what was counted last").isEqualTo(new Counts(2, 1, 1));
            try (Registers again = new Registers(ledger, "node-1")) {
                again.add("sku", SOLD_OUT);
                assertThat(counts(again)).as("with those of the run before").isEqualTo(new Counts(3, 1, 1));
                assertThat(again.status("sku").orElseThrow().nodes().keySet()).containsExactly("node-1");
            }
        }
    }
}
