package io.belay.document;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store.Snapshot;
import java.util.concurrent.CompletableFuture;

/** What somebody asks of a resource. */
sealed interface Pending {
    void fail(Throwable error);

    /** A request. */
    record Ask(Request request, CompletableFuture<Answer> answer) implements Pending {
        @Override
        public void fail(Throwable error) {
            answer.completeExceptionally(error);
        }
    }

    /** To be told how it is. */
    record Inspect(CompletableFuture<Snapshot> snapshot) implements Pending {
        @Override
        public void fail(Throwable error) {
            snapshot.completeExceptionally(error);
        }
    }
}
