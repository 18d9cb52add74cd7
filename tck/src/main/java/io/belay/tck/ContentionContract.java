package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two that ask for one lock at the same instant, many times: clients of one process, and of two. */
abstract class ContentionContract extends TwoClients {
    @TempDir
    private Path directory;

    @Test
    void ofTwoClientsThatTryAtTheSameInstantOneHasTheLock() throws Exception {
        contestOfClients(Contest.Kind.TRY);
    }

    @Test
    void twoClientsThatQueueAtTheSameInstantHoldTheLockOneAfterTheOther() throws Exception {
        contestOfClients(Contest.Kind.QUEUE);
    }

    @Test
    void ofTwoProcessesThatTryAtTheSameInstantOneHasTheLock() throws Exception {
        contestOfProcesses(Contest.Kind.TRY);
    }

    @Test
    void twoProcessesThatQueueAtTheSameInstantHoldTheLockOneAfterTheOther() throws Exception {
        contestOfProcesses(Contest.Kind.QUEUE);
    }

    private void contestOfClients(Contest.Kind kind) throws Exception {
        Contest contest = new Contest(numbers(), kind);
        CompletableFuture<Void> following = new CompletableFuture<>();
        Thread follower = new Thread(() -> {
            try {
                contest.follow(b);
                following.complete(null);
            } catch (Throwable e) {
                following.completeExceptionally(e);
            }
        });
        follower.start();
        try {
            isFair(contest.lead(a));
        } catch (IllegalStateException e) {
            following.exceptionally(error -> {
                e.addSuppressed(error);
                return null;
            });
            throw e;
        }
        following.get(soon(), TimeUnit.SECONDS);
    }

    private void contestOfProcesses(Contest.Kind kind) throws Exception {
        assumeTrue(spec.isShared(), "the store is not shared with other processes");
        Path file = numbers();
        Contest contest = new Contest(file, kind);
        try (ContestProcess child = ContestProcess.start(spec.url(), options().lease(), file, kind)) {
            isFair(contest.lead(a));
        }
    }

    /** Returns a new file: the test may begin again. */
    private Path numbers() throws IOException {
        return Files.createTempFile(directory, "numbers", null);
    }

    private void isFair(Contest.Outcome outcome) {
        assertThat(outcome)
                .matches(Contest.Outcome::isFair, "held by one at a time, under rising tokens, until it is given back");
        premise.happens(outcome.isContest(), "both ask at once often enough: " + outcome);
    }
}
