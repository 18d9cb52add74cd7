package io.belay.node;

import io.belay.spi.Request;
import io.belay.support.Mutex;
import org.jspecify.annotations.Nullable;

/**
 * The change of a claim's weight that is under way. A raise is written, and then checked: it is taken back if somebody was
 * granted before it was written. Until that is decided it counts as not made. If its answer was lost, a copy of the request
 * decides it; what is decided once stays so for all copies. Thread-safe.
 */
final class Reweighting {
    private final Mutex lock = new Mutex();
    /** The change that is not decided; null if there is none. */
    private @Nullable Attempt open;

    /** The last change that was made. */
    private @Nullable Attempt made;

    /** A change, which all copies of its request have in common. Guarded by the lock. */
    static final class Attempt {
        private final long sequence;
        private final int before;
        private final int reweights;
        private final int weight;
        /** True while no other request can have written this change, or one that it follows. */
        private boolean alone;
        /** The reason for which it is to be taken back; it is not made any more. */
        private @Nullable String refusal;

        private Attempt(Request.Reweight request, int before, boolean alone) {
            sequence = request.sequence();
            reweights = request.reweights();
            weight = request.weight();
            this.before = before;
            this.alone = alone;
        }

        /** Returns the weight that was there before. */
        int before() {
            return before;
        }

        boolean isRaise() {
            return weight > before;
        }

        private boolean isCopiedBy(Request.Reweight request) {
            return request.sequence() == sequence && request.reweights() == reweights && request.weight() == weight;
        }

        private boolean isWrittenIn(Node node) {
            return node.sequence() == sequence && isWrittenIn(node.details());
        }

        private boolean isWrittenIn(Details details) {
            return details.reweights() == reweights + 1;
        }

        private boolean isAtLeast(Request.Reweight request) {
            return request.sequence() == sequence && request.reweights() <= reweights;
        }
    }

    /**
     * Begins a change, or goes on with the one that a copy of the request has begun.
     *
     * @param node the claim's node, as it was read
     * @return null if the node says that the request comes too late, or too early
     */
    @Nullable
    Attempt begin(Node node, Request.Reweight request) {
        try (var held = lock.hold()) {
            Attempt last = open;
            Attempt written = last != null && last.isWrittenIn(node) ? last : null;
            int reweights = written == null ? node.details().reweights() : written.reweights;
            boolean late = made != null && made.isAtLeast(request); // the node was read before that
            if (late || node.sequence() != request.sequence() || reweights != request.reweights()) {
                return null;
            }
            if (last != null && last.isCopiedBy(request) && (written != null || last.refusal == null)) {
                last.alone = false;
                return last;
            }
            Attempt next = new Attempt(request, written == null ? node.weight() : written.before, last == null);
            open = next;
            return next;
        }
    }

    /** Ends an attempt for which there is no room if nothing of it can have been written; returns whether that is so. */
    boolean cancel(Attempt attempt) {
        try (var held = lock.hold()) {
            boolean ends = open == attempt && attempt.alone;
            open = ends ? null : open;
            return ends;
        }
    }

    /** Returns why an attempt is to be taken back: that reason, or an earlier one; null if there is none. */
    @Nullable
    String refuse(Attempt attempt, @Nullable String reason) {
        try (var held = lock.hold()) {
            attempt.refusal = attempt.refusal == null ? reason : attempt.refusal;
            return attempt.refusal;
        }
    }

    /** Does the same once the attempt was written: if there is no reason it is made, unless another copy has decided it. */
    @Nullable
    String decide(Attempt attempt, @Nullable String reason) {
        try (var held = lock.hold()) {
            if (open != attempt) {
                return null;
            }
            String refusal = refuse(attempt, reason);
            if (refusal == null) {
                made = attempt;
                open = null;
            }
            return refusal;
        }
    }

    /** Returns details without an attempt that is to be taken back; what else was changed since stays. */
    Details takenBack(Attempt attempt, Details now) {
        try (var held = lock.hold()) {
            boolean back = open == attempt && attempt.isWrittenIn(now);
            return back ? now.reweighted(attempt.before, attempt.reweights) : now;
        }
    }

    /** Notes that an attempt was taken back: the node was written since, so that no late copy of it can be. */
    void end(Attempt attempt) {
        try (var held = lock.hold()) {
            open = open == attempt ? null : open;
        }
    }

    /** Returns how many changes the claim's owner is told of. */
    int shown(Node node) {
        try (var held = lock.hold()) {
            Attempt last = open;
            return last != null && last.isWrittenIn(node)
                    ? last.reweights
                    : node.details().reweights();
        }
    }
}
