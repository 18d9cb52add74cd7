package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real process that leads is killed: the next one leads, those who observe are told, and what it counted stands. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class KilledLeaderTest {
    private static final long SOON = Pace.seconds();

    @TempDir
    private Path directory;

    @Test
    void theNextLeaderHasAHigherTokenAndTheLatchOutlivesWhoSetIt() throws Exception {
        String url = "file:" + directory;
        BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
        try (Belay belay = Belay.connect(url);
                Belay observer = Belay.connect(url);
                ChildJvm leader = CoordinationProcess.start(url)) {
            long token = Long.parseLong(Objects.requireNonNull(leader.line()));
            observer.election(CoordinationProcess.ELECTION).observe(told::add);
            Leader first = next(told).orElseThrow();
            assertThat(first.token()).isEqualTo(token);
            assertThat(first.process()).isEqualTo(leader.process.pid());
            CompletableFuture<Lease> candidate =
                    belay.election(CoordinationProcess.ELECTION).campaignAsync();
            CompletableFuture<Void> latch =
                    observer.countDownLatch(CoordinationProcess.LATCH).awaitAsync();

            leader.kill();

            Lease term = candidate.get(SOON, TimeUnit.SECONDS);
            assertThat(term.token()).isGreaterThan(token);
            Optional<Leader> now = next(told);
            now = now.isPresent() ? now : next(told); // it may have looked in between
            assertThat(now).map(Leader::token).hasValue(term.token());
            // By now its claims have been cleared away, but not what belongs to nobody.
            DistributedCountDownLatch counted = belay.countDownLatch(CoordinationProcess.LATCH);
            assertThat(counted.getCount()).isEqualTo(CoordinationProcess.COUNT);
            for (int left = CoordinationProcess.COUNT - 1; left >= 0; left--) {
                assertThat(latch).isNotDone();
                assertThat(counted.countDown()).isEqualTo(left);
            }
            latch.get(SOON, TimeUnit.SECONDS);
            term.close();
            assertThat(next(told)).isEmpty();
        }
    }

    private static Optional<Leader> next(BlockingQueue<Optional<Leader>> told) throws InterruptedException {
        return Objects.requireNonNull(told.poll(SOON, TimeUnit.SECONDS), "the observer was told nothing");
    }
}
