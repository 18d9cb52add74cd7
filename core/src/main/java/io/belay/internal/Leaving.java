package io.belay.internal;

import io.belay.Release;
import io.belay.spi.Answer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a claim's leave: told once to whoever waits for it, if anybody does. Until it is answered it counts for
 * the {@link Backlog}, if it follows an enter that is not. Guarded by the owner's lock.
 */
final class Leaving {
    private final Backlog backlog;
    private final String resource;
    private final Exclusive exclusive;
    private @Nullable Consumer<Release> listener;
    private int sent;
    private boolean counted;

    Leaving(Backlog backlog, String resource, Exclusive exclusive) {
        this.backlog = backlog;
        this.resource = resource;
        this.exclusive = exclusive;
    }

    void begin(@Nullable Consumer<Release> outcome) {
        listener = outcome;
    }

    void sent() {
        sent++;
    }

    boolean isSent() {
        return sent > 0;
    }

    /** It is not known whether its enter has come. */
    void unclear() {
        if (!counted) {
            counted = true;
            backlog.add(resource);
        }
    }

    /** Its enter was answered, or nobody waits for that any more. */
    void settled() {
        if (counted) {
            counted = false;
            exclusive.later(() -> backlog.remove(resource));
        }
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
