package io.belay.internal;

import io.belay.Release;
import io.belay.spi.Answer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What becomes of a claim's leave: told once to whoever waits for it, if anybody does. Guarded by the owner's lock. */
final class Leaving {
    private final Exclusive exclusive;
    private @Nullable Consumer<Release> listener;
    private int sent;

    Leaving(Exclusive exclusive) {
        this.exclusive = exclusive;
    }

    void begin(@Nullable Consumer<Release> outcome) {
        listener = outcome;
    }

    void sent() {
        sent++;
    }

    boolean isAwaited() {
        return listener != null;
    }

    /** The store answered; {@code inTime} if before the local deadline. */
    void answered(Answer answer, boolean inTime) {
        boolean found = answer.state() == Answer.State.LEFT;
        tell(found || (sent > 1 && inTime) ? Release.RELEASED : sent == 1 ? Release.ALREADY_LOST : Release.UNKNOWN);
    }

    void tell(Release outcome) {
        Consumer<Release> told = listener;
        listener = null;
        if (told != null) {
            exclusive.later(() -> told.accept(outcome));
        }
    }
}
