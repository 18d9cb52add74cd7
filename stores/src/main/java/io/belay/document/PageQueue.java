package io.belay.document;

import io.belay.spi.Store.NamePage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pages of names that this client asks for. One at a time is read, so that the other worker is there for the locks.
 * The lock of {@link ResourceQueues} guards it.
 */
final class PageQueue {
    /** A page that is asked for; see {@link Documents.Session#names}. */
    record Page(String prefix, String cursor, CompletableFuture<NamePage> answer) {}

    private final Deque<Page> waiting = new ArrayDeque<>(0);
    private boolean reading;

    void add(Page page) {
        waiting.add(page);
    }

    boolean isReady() {
        return !reading && !waiting.isEmpty();
    }

    /** Takes the next page, to be read before any other; null if there is none, or one is being read. */
    @Nullable
    Page take() {
        if (!isReady()) {
            return null;
        }
        reading = true;
        return waiting.remove();
    }

    /** Notes that the page that was taken is done. */
    void done() {
        reading = false;
    }

    /** Takes all that nobody will read any more. */
    List<Page> drain() {
        List<Page> left = new ArrayList<>(waiting);
        waiting.clear();
        return left;
    }
}
