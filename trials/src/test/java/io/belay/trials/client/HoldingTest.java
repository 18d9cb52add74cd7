package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.StoreUnavailableException;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import io.belay.trials.library.Library;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldingTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private final SayingGrant grant = new SayingGrant();

    /** A grant that says what it was told to. */
    private static final class SayingGrant implements Grant {
        private Outcome outcome = Outcome.RELEASED;
        private long remaining = LEASE.toNanos();
        private @Nullable RuntimeException failure;
        /** The instant at which another end was asked for. */
        private long asked;

        @Override
        public long token() {
            return 1;
        }

        @Override
        public long remainingNanos() {
            return remaining;
        }

        @Override
        public boolean isHeld() {
            if (failure != null) {
                throw failure;
            }
            return remaining > 0;
        }

        @Override
        public void onLost(Runnable told) {
            // It is never lost.
        }

        @Override
        public void extend(Duration duration) {
            asked = System.nanoTime();
            if (failure != null) {
                throw failure;
            }
            remaining = duration.toNanos();
        }

        @Override
        public Outcome release() {
            if (failure != null) {
                throw failure;
            }
            return outcome;
        }

        @Override
        public Outcome releaseAfter(Duration delay) {
            return outcome;
        }
    }

    /** Lets a hold of the grant do something, and returns what was written down after the grant. */
    private List<Event> written(Step step) throws IOException, InterruptedException {
        Library library = new Library() {
            @Override
            public Optional<Grant> acquire(Ask ask) {
                return Optional.of(grant);
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            Recorder recorder = new Recorder(library, file, "0.0", Holder.open(directory, 0));
            step.take(recorder.acquire(0, Ask.mutex("x", null)).orElseThrow());
        }
        return HistoryFile.readAll(directory).stream()
                .dropWhile(event -> event.type() != Type.GRANTED)
                .skip(1)
                .toList();
    }

    private interface Step {
        void take(Holding holding);
    }

    @Test
    void anEarlierEndIsStampedBeforeItIsAskedFor() throws Exception {
        Event moved = written(holding -> holding.extend(Duration.ofSeconds(1))).get(0);
        assertThat(moved.type()).isEqualTo(Type.MOVED);
        assertThat(moved.nanos()).isLessThanOrEqualTo(grant.asked);
        assertThat(moved.value() - moved.nanos()).isEqualTo(988_000_000);
    }

    @Test
    void anEarlierEndCountsAlsoIfNothingIsHeardOfIt() throws Exception {
        grant.failure = new StoreUnavailableException("no answer", null);
        assertThat(written(holding -> holding.extend(Duration.ofSeconds(1))))
                .extracting(Event::type)
                .containsExactly(Type.MOVED);
    }

    @Test
    void aLaterEndIsStampedAfterTheAnswer() throws Exception {
        Event moved = written(holding -> holding.extend(Duration.ofSeconds(20))).get(0);
        assertThat(moved.type()).isEqualTo(Type.MOVED);
        assertThat(moved.nanos()).isGreaterThanOrEqualTo(grant.asked);
        assertThat(moved.value() - moved.nanos()).isEqualTo(20_000_000_000L);
    }

    @Test
    void aLaterEndThatIsNotAnsweredDoesNotCount() throws Exception {
        grant.failure = new StoreUnavailableException("no answer", null);
        assertThat(written(holding -> holding.extend(Duration.ofSeconds(20)))).isEmpty();
    }

    @Test
    void whoseLeaseIsLostDoesNotHold() throws Exception {
        grant.failure = LeaseLostException.of("x", 1).lost(LossReason.EXPIRED).withMessage("lost");
        assertThat(written(holding -> holding.extend(Duration.ofSeconds(20))))
                .extracting(Event::type)
                .containsExactly(Type.NOT_HELD);
    }

    @Test
    void whatALookThrowsIsADefect() throws Exception {
        grant.failure = new NullPointerException("planted");
        List<Event> events = written(Holding::look);
        assertThat(events).extracting(Event::type).containsExactly(Type.DEFECT);
        assertThat(events).extracting(Event::name).containsExactly("java.lang.NullPointerException");
    }

    @Test
    void whatAReleaseThrowsIsNoOutcome() throws Exception {
        grant.failure = new IllegalStateException("planted");
        List<Event> events =
                written(holding -> assertThatThrownBy(holding::release).isSameAs(grant.failure));
        assertThat(events).extracting(Event::type).containsExactly(Type.RELEASE);
    }

    @Test
    void whatIsKeptCountsFromBeforeTheRelease() throws Exception {
        List<Event> events = written(holding -> holding.releaseAfter(Duration.ofSeconds(1)));
        assertThat(events).extracting(Event::type).containsExactly(Type.RELEASE, Type.RELEASED, Type.KEPT);
        assertThat(events.get(2).value() - events.get(0).nanos()).isEqualTo(1_000_000_000);
    }

    @Test
    void nothingIsKeptUnlessTheLibrarySaysThatItWasReleased() throws Exception {
        grant.outcome = Grant.Outcome.UNKNOWN;
        assertThat(written(holding -> holding.releaseAfter(Duration.ofSeconds(1))))
                .extracting(Event::type)
                .containsExactly(Type.RELEASE, Type.RELEASE_UNKNOWN);
        grant.outcome = Grant.Outcome.LATE;
        assertThat(written(holding -> holding.releaseAfter(Duration.ofSeconds(1))))
                .extracting(Event::type)
                .containsExactly(Type.RELEASE, Type.RELEASED_LATE);
    }
}
