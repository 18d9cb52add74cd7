package io.belay.document;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store.Snapshot;
import java.util.concurrent.CompletableFuture;

/** An operation that somebody asks for on a resource. */
sealed interface Operation {
    void fail(Throwable error);

    /** A request. */
    record Ask(Request request, CompletableFuture<Answer> answer) implements Operation {
        @Override
        public void fail(Throwable error) {
            answer.completeExceptionally(error);
        }
    }

    /** A request to be told how the resource is. */
    record Inspect(CompletableFuture<Snapshot> snapshot) implements Operation {
        @Override
        public void fail(Throwable error) {
            snapshot.completeExceptionally(error);
        }
    }
}
