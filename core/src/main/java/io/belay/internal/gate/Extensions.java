package io.belay.internal.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The moves of ends that one gate's holds are asked for: of fixed leases, and of longest holds. */
final class Extensions {
    private static final CompletableFuture<Optional<String>> OVER = CompletableFuture.completedFuture(Optional.empty());

    private final Gate gate;

    Extensions(Gate gate) {
        this.gate = gate;
    }

    /**
     * Moves the end of a hold to so many nanoseconds from now. The future is done with why that was refused; with nothing once
     * the hold shows it, or is over.
     */
    CompletableFuture<Optional<String>> extend(Hold hold, long duration) {
        List<CompletableFuture<Optional<String>>> done = new ArrayList<>(1);
        gate.steps.run(() -> {
            long now = gate.engine().time().nanos();
            gate.notice(hold, now);
            done.add(gate.holds(hold) ? move(hold, now + duration, now) : OVER);
        });
        return done.get(0);
    }

    private CompletableFuture<Optional<String>> move(Hold hold, long end, long now) {
        boolean fixed = hold.claim().belief().isFixed();
        int number = ++hold.moves;
        boolean limited = !fixed || hold.limit != Long.MAX_VALUE;
        if (limited && (hold.limit == Long.MAX_VALUE || end - hold.limit < 0)) {
            limit(hold, end);
        }
        CompletableFuture<Optional<String>> answered = fixed
                ? hold.claim().fix(end, now)
                : hold.claim().askForNews(now).thenApply(news -> Optional.empty());
        return answered.thenApply(refusal -> {
            if (limited && refusal.isEmpty()) {
                gate.steps.run(() -> {
                    if (number == hold.moves) { // else a later call counts
                        limit(hold, end);
                    }
                });
            }
            return refusal;
        });
    }

    /** Ends the hold then, if it is held so long. */
    private void limit(Hold hold, long end) {
        if (gate.holds(hold) && hold.limit != end) {
            hold.limit = end;
            gate.engine().timers().schedule(hold, end);
        }
    }
}
