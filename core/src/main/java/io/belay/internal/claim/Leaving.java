package io.belay.internal.claim;

import io.belay.Lease;
import io.belay.Release;
import io.belay.internal.time.StepLock;
import io.belay.spi.Answer;
import io.belay.spi.Log;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leave of a claim. Its outcome is told once, to the one who waits for it, if anybody does. Until the leave is
 * answered it counts for the {@link Backlog}, if it follows an enter that is not. Guarded by the owner's lock.
 */
final class Leaving {
    private static final Log LOG = Log.of(Lease.class);

    private final Backlog backlog;
    private final String resource;
    private final StepLock steps;
    private @Nullable Consumer<Release> listener;
    private int sent;
    private boolean counted;

    Leaving(Backlog backlog, String resource, StepLock steps) {
        this.backlog = backlog;
        this.resource = resource;
        this.steps = steps;
    }

    void begin(@Nullable Consumer<Release> outcome) {
        listener = outcome;
    }

    /** Notes that a leave goes out; {@code unclear} says whether an enter of the claim may still be on its way. */
    void sent(boolean unclear) {
        sent++;
        if (unclear) {
            unclear();
        }
    }

    boolean isSent() {
        return sent > 0;
    }

    /** Counts for the backlog from now on, as it is not known whether the enter has come. */
    void unclear() {
        if (!counted) {
            counted = true;
            backlog.add(resource);
        }
    }

    /** Counts no longer for the backlog: the enter or the leave was answered, or nobody waits for that any more. */
    void settled() {
        if (counted) {
            counted = false;
            steps.later(() -> backlog.remove(resource));
        }
    }

    boolean isAwaited() {
        return listener != null;
    }

    /**
     * Takes the store's answer, and tells the outcome.
     *
     * @param kept whether the claim stands for as long as it was asked to, in place of being left
     * @param wasKept whether nothing was sent but requests to keep it, whose time is not over: none of them takes it away
     * @param inTime whether the answer came before the deadline, surely: until then nobody else had the lock, so that a
     *     leave which finds nothing was done before, by an earlier copy
     * @param sameRun whether the same run of the server answered as before: with another one that need not be so
     */
    void answered(Answer answer, boolean kept, boolean wasKept, boolean inTime, boolean sameRun) {
        if (kept || answer.state() == Answer.State.LEFT) {
            tell(Release.RELEASED);
        } else if (sent == 1 || wasKept) {
            tell(Release.ALREADY_LOST);
        } else if (!inTime || sameRun) {
            tell(inTime ? Release.RELEASED : Release.UNKNOWN);
        } else {
            steps.later(() -> LOG.warn(
                    "The lock '{}' was released while its server was restarted or replaced, and the new one does not know"
                            + " of it: another may have had the lock meanwhile",
                    resource));
            tell(Release.UNKNOWN);
        }
    }

    void tell(Release outcome) {
        Consumer<Release> told = listener;
        listener = null;
        if (told != null) {
            steps.later(() -> told.accept(outcome));
        }
    }
}
