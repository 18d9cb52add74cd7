package io.belay.trials.check;

import io.belay.trials.history.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether there is any order of the steps of a short history that a model allows: each hold is granted at one instant
 * between its asking and its having, and ends at one instant after its end was begun. Tries all orders. A step that has
 * ended before another began comes before it. It stands for nothing but the models, so that the quick checks can be
 * compared with it.
 */
final class ModelSearch {
    /** A grant or an end of a hold, somewhere between two instants. */
    private record Step(Hold hold, boolean isGrant, long from, long to) {}

    private final boolean fenced;
    private final List<Step> steps = new ArrayList<>();
    private final boolean[] done;

    /** {@code fenced}: whether exclusive grants need a token above all before, others one above all exclusive ones. */
    ModelSearch(List<Hold> holds, boolean fenced) {
        this.fenced = fenced;
        for (Hold hold : holds) {
            if (hold.wasHeld()) {
                // At the instant at which its holder had it, it was held for sure, and until its end.
                steps.add(new Step(hold, true, hold.asked(), hold.granted()));
                steps.add(new Step(hold, false, hold.end(), Long.MAX_VALUE));
            }
        }
        steps.sort(Comparator.comparingLong(Step::from));
        done = new boolean[steps.size()];
    }

    boolean isLegal() {
        return search(steps.size(), new ArrayList<>(), -1, -1);
    }

    private boolean search(int left, List<Hold> held, long highest, long highestExclusive) {
        if (left == 0) {
            return true;
        }
        long firstEnd = Long.MAX_VALUE;
        for (int i = 0; i < steps.size(); i++) {
            if (!done[i]) {
                firstEnd = Math.min(firstEnd, steps.get(i).to());
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (done[i] || step.from() > firstEnd || !allowed(step, held, highest, highestExclusive)) {
                continue;
            }
            done[i] = true;
            List<Hold> next = new ArrayList<>(held);
            long token = step.hold().token();
            boolean found;
            if (step.isGrant()) {
                next.add(step.hold());
                found = search(
                        left - 1,
                        next,
                        Math.max(highest, token),
                        step.hold().isExclusive() ? Math.max(highestExclusive, token) : highestExclusive);
            } else {
                next.remove(step.hold());
                found = search(left - 1, next, highest, highestExclusive);
            }
            done[i] = false;
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean allowed(Step step, List<Hold> held, long highest, long highestExclusive) {
        if (!step.isGrant()) {
            return held.contains(step.hold());
        }
        int weight = held.stream().mapToInt(Hold::weight).sum();
        if (weight + step.hold().weight() > step.hold().capacity()) {
            return false;
        }
        return !fenced
                || (step.hold().isExclusive()
                        ? step.hold().token() > highest
                        : step.hold().token() >= highestExclusive);
    }
}
