package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockRefusedException;
import io.belay.StoreUnavailableException;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import io.belay.trials.library.Library;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    private static final Ask ASK = Ask.mutex("x", null);

    @TempDir
    private Path directory;

    /** A library that throws, and may throw that its store does not answer. */
    private record ThrowingLibrary(RuntimeException thrown) implements Library {
        @Override
        public Optional<Grant> acquire(Ask ask) {
            throw thrown;
        }

        @Override
        public Grant acquireInOrder(Ask ask, Runnable queued) {
            throw thrown;
        }

        @Override
        public List<Grant> acquireAll(List<Ask> asks) {
            throw thrown;
        }

        @Override
        public boolean mayThrow(Ask ask, RuntimeException thrown) {
            return thrown instanceof StoreUnavailableException;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    private interface Step {
        void take(Recorder recorder) throws InterruptedException;
    }

    private List<Event> written(RuntimeException thrown, Step step) throws IOException, InterruptedException {
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            step.take(new Recorder(new ThrowingLibrary(thrown), file, "0.0", Holder.open(directory, 0)));
        }
        return HistoryFile.readAll(directory);
    }

    private static final List<Step> WAYS = List.of(
            recorder -> assertThat(recorder.acquire(0, ASK)).isEmpty(),
            recorder -> assertThat(recorder.acquireInOrder(0, ASK)).isEmpty(),
            recorder -> assertThat(recorder.acquireAll(0, List.of(ASK))).isEmpty());

    @Test
    void whatTheLibraryMayThrowLeavesTheOutcomeOpen() throws Exception {
        for (Step way : WAYS) {
            assertThat(written(new StoreUnavailableException("silent", null), way))
                    .extracting(Event::type)
                    .containsExactly(Type.ASK, Type.UNKNOWN);
        }
    }

    @Test
    void allElseIsADefect() throws Exception {
        for (Step way : WAYS) {
            List<Event> events = written(new NullPointerException("planted"), way);
            assertThat(events).extracting(Event::type).containsExactly(Type.ASK, Type.UNKNOWN, Type.DEFECT);
            assertThat(events.get(2).name()).isEqualTo("java.lang.NullPointerException");
        }
    }

    @Test
    void aTokenThatHasFallenIsToldApartFromWhatElseIsRefused() throws Exception {
        String wentBack = "The store went back: the lock 'stock' was granted with the token 7 after 9";
        assertThat(written(new LockRefusedException(wentBack, null), WAYS.get(0)))
                .extracting(Event::type)
                .containsExactly(Type.ASK, Type.UNKNOWN, Type.WENT_BACK);
        assertThat(written(new LockRefusedException("in use as something else", null), WAYS.get(0)))
                .extracting(Event::type)
                .containsExactly(Type.ASK, Type.UNKNOWN, Type.DEFECT);
    }

    @Test
    void aTurnThatFailsIsADefectAlsoIfItIsNoException() throws Exception {
        List<Event> events = written(new IllegalStateException(), recorder -> {
            Workload failing = (thread, random) -> {
                throw new AssertionError("planted");
            };
            assertThat(ClientMain.work(failing, recorder, 2, new Random())).isFalse();
        });
        assertThat(events).extracting(Event::type).containsExactly(Type.DEFECT);
        assertThat(events.get(0).thread()).isEqualTo(2);
        assertThat(events.get(0).name()).isEqualTo("java.lang.AssertionError");
    }
}
