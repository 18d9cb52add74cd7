package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import io.belay.trials.library.Libraries;
import io.belay.trials.library.Library;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that cannot be opened while the store is struck tries again; whatever else is thrown is to be judged. */
class ClientMainTest {
    @TempDir
    private Path directory;

    private static Library open(List<RuntimeException> thrown) {
        return ClientMain.insist(Libraries.BELAY, () -> {
            throw thrown.remove(0);
        });
    }

    @Test
    void onlyThatTheStoreDoesNotAnswerIsForgiven() {
        RuntimeException misconfigured = new StoreMisconfiguredException("no such database", null);
        List<RuntimeException> thrown =
                new ArrayList<>(List.of(new StoreUnavailableException("it is down", null), misconfigured));
        assertThatThrownBy(() -> open(thrown)).isSameAs(misconfigured);
        assertThat(thrown).isEmpty();
    }

    /** A library that closes so. */
    private record ClosingLibrary(Runnable closing) implements Library {
        @Override
        public Optional<Grant> acquire(Ask ask) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    private List<Event> closed(int sleeps, Runnable... closings) throws Exception {
        List<AutoCloseable> all = new ArrayList<>();
        for (Runnable closing : closings) {
            all.add(new ClosingLibrary(closing));
        }
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            Holder holder = Holder.open(directory, 0);
            ClientMain.close(all, new Recorder(new ClosingLibrary(() -> {}), file, "0.0", holder), sleeps);
        }
        return HistoryFile.readAll(directory);
    }

    @Test
    void whatIsThrownAtTheEndIsToldAndTheRestIsClosed() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        List<Event> events = closed(
                10_000,
                () -> {
                    throw new OutOfMemoryError("planted");
                },
                rest::countDown);
        assertThat(events).extracting(Event::type).containsExactly(Type.DEFECT);
        assertThat(events).extracting(Event::name).containsExactly("java.lang.OutOfMemoryError");
        assertThat(rest.getCount()).isZero();
    }

    @Test
    void anEndThatDoesNotComeIsTold() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        List<Event> events = closed(2, () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        never.countDown();
        assertThat(events).extracting(Event::type).containsExactly(Type.STUCK);
        assertThat(events).extracting(Event::name).containsExactly("close");
    }
}
