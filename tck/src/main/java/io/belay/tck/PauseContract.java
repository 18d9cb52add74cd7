package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A client that is paused and resumed. */
abstract class PauseContract extends TwoClients {
    @Test
    void theSameLockGoesOnAndItsTokensRise() throws Exception {
        DistributedLock lock = a.lock("x");
        long token = 0;
        for (int i = 0; i < 3; i++) {
            Lease held = soon(lock.acquireAsync());
            assertThat(held.token()).isGreaterThan(token);
            assertThat(b.lock("x").tryAcquire()).isEmpty();
            CompletableFuture<Lease> next = queued(b.lock("x"));
            a.pause(Duration.ZERO); // takes it away
            Lease other = soon(next);
            assertThat(held.isHeld()).isFalse();
            assertThat(other.token()).isGreaterThan(held.token());
            assertThatThrownBy(lock::acquire)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("paused");
            a.resume();
            CompletableFuture<Lease> again = lock.acquireAsync();
            awaitAnswer(a);
            staysUndone(again);
            giveBack(other);
            Lease after = soon(again);
            token = after.token();
            assertThat(token).isGreaterThan(other.token());
            giveBack(after);
        }
    }

    /** What a checkpoint of a process refuses are open sockets and files; threads of the store's are left as little. */
    @Test
    @Tag(StoreTck.COSTLY)
    @EnabledOnOs(OS.LINUX)
    void nothingOfAPausedClientIsLeftInItsProcess() throws Exception {
        assumeTrue(spec.isShared(), "the store is not shared with other processes");
        try (LockProcess child = LockProcess.of(
                PausedProcess.class,
                spec.url(),
                spec.patience().toString(),
                options().lease().toString())) {
            assertThat(child.line())
                    .as("what the client uses")
                    .startsWith("uses ")
                    .isNotEqualTo("uses []");
            assertThat(child.line()).as("what is left of it").isEqualTo("left []");
            assertThat(child.line()).isEqualTo("works again");
        }
    }
}
