package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
}
