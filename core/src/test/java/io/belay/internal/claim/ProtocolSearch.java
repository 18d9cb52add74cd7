package io.belay.internal.claim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A breadth-first search over every order in which the steps of the whole protocol can happen: what two or more clients
 * decide and believe ({@link Belief}, the class that runs in production), what the store does
 * ({@link io.belay.spi.Resource}, likewise), the requests, answers and pushes in flight, and the clock. A violation
 * found is one with the fewest steps.
 */
public final class ProtocolSearch {
    /**
     * What a search came to.
     *
     * @param states how many states were found
     * @param complete whether these are all there are
     * @param violation the first promise that was broken, or null
     */
    record Outcome(
            SimSetup setup,
            int states,
            boolean complete,
            double seconds,
            @Nullable Violation violation) {
        @Override
        public String toString() {
            String end = violation != null
                    ? violation.kind() + " after " + violation.trace().size() + " steps"
                    : complete ? "clean" : "clean as far as it went";
            return String.format("%-60s %,10d states %6.1f s  %s", setup.name(), states, seconds, end);
        }
    }

    private final SimSetup setup;
    private final Mutant mutant;
    private final Set<Violation.Kind> kinds;
    private final Visited visited;
    private int from;
    private @Nullable Violation violation;

    private ProtocolSearch(SimSetup setup, Mutant mutant, Set<Violation.Kind> kinds) {
        this.setup = setup;
        this.mutant = mutant;
        this.kinds = kinds;
        visited = new Visited(setup.roles().size());
    }

    /** Searches the protocol as it is. */
    static Outcome run(SimSetup setup) {
        return run(setup, new Mutant() {}, EnumSet.allOf(Violation.Kind.class));
    }

    /** Searches a changed protocol for violations of those kinds. */
    static Outcome run(SimSetup setup, Mutant mutant, Set<Violation.Kind> kinds) {
        long start = System.nanoTime();
        ProtocolSearch search = new ProtocolSearch(setup, mutant, kinds);
        search.explore();
        boolean complete = search.violation == null && search.from == search.visited.size();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Outcome(setup, search.visited.size(), complete, seconds, search.violation);
    }

    private void explore() {
        visited.add(SimWorld.start(setup), -1);
        SimMoves moves = new SimMoves(setup, mutant, this::reached, false);
        for (from = 0; from < visited.size() && visited.size() < setup.most(); from++) {
            moves.from(visited.get(from));
            if (violation != null) {
                return;
            }
        }
    }

    private void reached(SimWorld next, String words, @Nullable Violation ofStep) {
        if (violation != null) {
            return;
        }
        if (ofStep != null && kinds.contains(ofStep.kind())) {
            violation = ofStep.with(trace(next, ofStep));
        } else if (visited.add(next, from)) {
            Violation ofState = SimChecks.state(setup, next);
            if (ofState != null && kinds.contains(ofState.kind())) {
                violation = ofState.with(trace(next, ofState));
            }
        }
    }

    /** The steps that led from the start to a state that can be reached from the present one. */
    private List<String> trace(SimWorld last, Violation found) {
        List<Integer> path = new ArrayList<>();
        for (int state = from; state >= 0; state = visited.parent(state)) {
            path.add(state);
        }
        Collections.reverse(path);
        List<String> steps = new ArrayList<>();
        for (int at = 0; at < path.size(); at++) {
            int wanted = at + 1 < path.size() ? path.get(at + 1) : -1;
            int before = steps.size();
            SimMoves.Sink sink = (next, words, ofStep) -> {
                boolean hit = wanted >= 0
                        ? visited.find(next) == wanted
                        : ofStep != null && ofStep.kind() == found.kind() || isSame(next, last);
                if (hit && steps.size() == before) {
                    steps.add(words);
                }
            };
            new SimMoves(setup, mutant, sink, true).from(visited.get(path.get(at)));
        }
        return steps;
    }

    private boolean isSame(SimWorld a, SimWorld b) {
        int state = visited.find(a);
        return state >= 0 && state == visited.find(b);
    }
}
