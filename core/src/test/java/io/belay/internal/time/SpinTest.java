package io.belay.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.BelayOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread looks for an answer only where that is likely to pay, and never for long. */
class SpinTest {
    private static final Duration LONGEST = Duration.ofMillis(5);

    private final AtomicLong now = new AtomicLong();
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Spin spin = new Spin(LONGEST, now::get, taken);

    @BeforeEach
    void thereIsAProcessorToSpare() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a single processor is nobody's to waste");
    }

    private static boolean spins(Spin spin) {
        AtomicInteger looks = new AtomicInteger();
        spin.await(() -> looks.incrementAndGet() < 3);
        return looks.get() > 0;
    }

    @Test
    void itLooksUntilTheAnswerIsThere() {
        AtomicInteger looks = new AtomicInteger();
        spin.await(() -> looks.incrementAndGet() < 10);
        assertThat(looks).hasValue(10);
    }

    @Test
    void itParksWhenTheAnswerDoesNotCome() {
        spin.await(() -> now.addAndGet(1_000_000) > 0);
        assertThat(now).hasValue(LONGEST.toNanos());
        assertThat(spins(spin)).as("the next one").isTrue();
    }

    @Test
    void aStoreThatIsFarIsNotAwaitedSoUntilItIsNear() {
        for (int i = 0; i < 20; i++) {
            spin.answered(LONGEST.toNanos() * 2);
        }
        assertThat(spins(spin)).isFalse();
        for (int i = 0; i < 20; i++) {
            spin.answered(LONGEST.toNanos() / 10);
        }
        assertThat(spins(spin)).isTrue();
    }

    @Test
    void oneAnswerThatTookLongIsForgiven() {
        for (int i = 0; i < 20; i++) {
            spin.answered(LONGEST.toNanos() / 10);
        }
        spin.answered(Duration.ofSeconds(10).toNanos());
        assertThat(spins(spin)).isTrue();
    }

    @Test
    void oneThreadAtATime() {
        Spin another = new Spin(LONGEST, now::get, taken);
        AtomicBoolean both = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        spin.await(() -> {
            both.compareAndSet(false, spins(another));
            return looks.incrementAndGet() < 3;
        });
        assertThat(both).isFalse();
        assertThat(spins(another)).as("once the first is done").isTrue();
    }

    /** Which all clients of the process share; another test's thread may have it for a moment. */
    @Test
    void oneThreadOfAProcessAtATime() {
        Spin first = new Spin(Duration.ofSeconds(60), System::nanoTime, Spin.TAKEN_IN_PROCESS);
        Spin another = new Spin(Duration.ofSeconds(60), System::nanoTime, Spin.TAKEN_IN_PROCESS);
        AtomicInteger rounds = new AtomicInteger();
        AtomicBoolean both = new AtomicBoolean();
        await().until(() -> {
            first.await(() -> {
                both.compareAndSet(false, spins(another));
                return rounds.incrementAndGet() < 3;
            });
            return rounds.get() > 0;
        });
        assertThat(both).isFalse();
    }

    @Test
    void whoeverWantsNoneHasNone() {
        assertThat(spins(new Spin(Duration.ZERO, now::get, taken))).isFalse();
    }

    @Test
    void noneIsForSoLongThatItIsNotWorthIt() {
        BelayOptions options = BelayOptions.defaults();
        assertThat(options.withSpin(Duration.ofMillis(10)).spin()).isEqualTo(Duration.ofMillis(10));
        assertThatThrownBy(() -> options.withSpin(Duration.ofMillis(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spin is PT0.011S, but must be from PT0S to PT0.01S");
        assertThatThrownBy(() -> options.withSpin(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
