package io.belay.internal.machine;

import io.belay.spi.Resource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A breadth-first search over every order in which the steps of the whole protocol can happen: what the machines of two or more
 * clients decide ({@link Machine}, made as production makes it), what the store does ({@link Resource}, likewise), the requests,
 * answers and pushes in flight, and the clocks. A violation found is one with the fewest steps.
 */
final class Search {
    /** What a search came to. */
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
    private final Values values = new Values();
    private final SimClients clients;
    private final SimStore store;
    private final Visited visited = new Visited();
    private final ArrayDeque<SimWorld> frontier = new ArrayDeque<>();
    private int from;
    private int move;
    private @Nullable Violation violation;

    private Search(SimSetup setup, Mutant mutant, Set<Violation.Kind> kinds) {
        this.setup = setup;
        this.mutant = mutant;
        this.kinds = kinds;
        clients = new SimClients(mutant, values);
        store = new SimStore(setup, mutant, values);
    }

    /** Searches the protocol as it is. */
    static Outcome run(SimSetup setup) {
        return run(setup, new Mutant() {}, EnumSet.allOf(Violation.Kind.class));
    }

    /** Searches a changed protocol for violations of those kinds. */
    static Outcome run(SimSetup setup, Mutant mutant, Set<Violation.Kind> kinds) {
        long start = System.nanoTime();
        Search search = new Search(setup, mutant, kinds);
        search.explore();
        boolean complete = search.violation == null && search.from == search.visited.size();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Outcome(setup, search.visited.size(), complete, seconds, search.violation);
    }

    private SimWorld start() {
        SimClient[] all = new SimClient[setup.roles().size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = clients.keep(new SimClient(i, setup, mutant.readsWallClock()));
        }
        SimWorld world = new SimWorld(values.number(Resource.UNUSED), all);
        world.mishaps = setup.mishaps();
        world.room = setup.capacity();
        world.given = values.number(new SimWorld.Given(List.of()));
        return world;
    }

    private void explore() {
        SimWorld start = start();
        visited.add(start.row(), -1, 0);
        frontier.add(start);
        SimMoves moves = new SimMoves(setup, clients, store, (next, words, ofStep) -> reached(next, ofStep));
        for (from = 0; !frontier.isEmpty() && visited.size() < setup.most(); from++) {
            move = 0;
            moves.from(frontier.remove());
            if (violation != null) {
                return;
            }
        }
    }

    private void reached(SimWorld next, @Nullable Violation ofStep) {
        int number = move++;
        if (violation != null) {
            return;
        }
        Violation found = ofStep != null && kinds.contains(ofStep.kind()) ? ofStep : null;
        if (found == null && visited.add(next.row(), from, number)) {
            frontier.add(next);
            found = SimChecks.state(setup, next, values);
        }
        if (found != null && kinds.contains(found.kind())) {
            violation = found.with(trace(number));
        }
    }

    /** Returns the steps that led from the start to the present state, and from there by one move more. */
    private List<String> trace(int last) {
        List<Integer> path = new ArrayList<>(List.of(last));
        for (int state = from; visited.parent(state) >= 0; state = visited.parent(state)) {
            path.add(visited.move(state));
        }
        Collections.reverse(path);
        List<String> steps = new ArrayList<>();
        SimWorld[] at = {start()};
        for (int wanted : path) {
            int[] count = {0};
            SimWorld here = at[0];
            SimMoves.Sink sink = (next, words, ofStep) -> {
                if (count[0]++ == wanted) {
                    steps.add(words.get());
                    at[0] = next;
                }
            };
            new SimMoves(setup, clients, store, sink).from(here);
        }
        return steps;
    }
}
