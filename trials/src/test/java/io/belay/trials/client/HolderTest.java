package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HolderTest {
    @TempDir
    Path directory;

    @Test
    void theFirstWaiterIsWhoHasWaitedLongestForTheLockGrantedLast() throws Exception {
        Holder parent = Holder.open(directory, -1);
        Holder first = Holder.open(directory, 0);
        Holder second = Holder.open(directory, 1);
        Holder third = Holder.open(directory, 2);
        first.granted(0, "x");
        assertThat(parent.get()).isZero();
        assertThat(parent.firstWaiter()).isEqualTo(-1);
        first.waits(1, "x"); // the holder's own threads do not count
        second.waits(0, "y");
        third.waits(1, "x");
        assertThat(parent.firstWaiter()).isEqualTo(2);
        second.waits(1, "x");
        assertThat(parent.firstWaiter()).isEqualTo(2);
        third.givesUp(1);
        assertThat(parent.firstWaiter()).isEqualTo(1);
        second.granted(1, "x");
        assertThat(parent.get()).isEqualTo(1);
        assertThat(parent.firstWaiter()).isZero();
        second.granted(0, "y");
        assertThat(parent.firstWaiter()).isEqualTo(-1);
    }

    @Test
    void aGrantIsWaitedFor() throws Exception {
        Holder parent = Holder.open(directory, -1);
        Holder client = Holder.open(directory, 3);
        client.granted(0, "x");
        AtomicBoolean over = new AtomicBoolean();
        Thread granting = new Thread(() -> {
            while (!over.get()) {
                client.granted(0, "x");
            }
        });
        granting.start();
        long begun = System.nanoTime();
        parent.awaitGrant(60_000_000_000L);
        assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
        over.set(true);
        granting.join();
        begun = System.nanoTime();
        parent.awaitGrant(5_000_000);
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(5_000_000);
    }
}
