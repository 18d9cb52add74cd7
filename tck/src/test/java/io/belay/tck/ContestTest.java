package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a contest says of itself. */
class ContestTest {
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(20);

    @TempDir
    private Path directory;

    @Test
    void twoOfWhomOneAsksWhenTheOtherIsDoneHaveShownNothing() throws Exception {
        Path file = directory.resolve("numbers");
        Contest contest = new Contest(file, Contest.Kind.TRY, 10);
        SharedNumbers numbers = new SharedNumbers(file);
        String url = "memory:" + UUID.randomUUID();
        try (Belay one = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            AtomicLong rounds = new AtomicLong();
            Belay late = (Belay) Proxy.newProxyInstance(
                    Belay.class.getClassLoader(), new Class<?>[] {Belay.class}, (proxy, method, arguments) -> {
                        if (arguments[0].toString().startsWith("contested")) {
                            long round = rounds.incrementAndGet();
                            while (numbers.get(Contest.TRIED) < 2 * round - 1) {
                                LockSupport.parkNanos(PAUSE);
                            }
                        }
                        return method.invoke(other, arguments);
                    });
            CompletableFuture<Void> following = CompletableFuture.runAsync(() -> {
                try {
                    contest.follow(late);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Contest.Outcome outcome = contest.lead(one);
            following.get(Pace.HERE.patience().toSeconds(), TimeUnit.SECONDS);
            assertThat(outcome.isFair()).isTrue();
            assertThat(outcome.met()).isZero();
            assertThat(outcome.isContest()).isFalse();
        }
    }
}
