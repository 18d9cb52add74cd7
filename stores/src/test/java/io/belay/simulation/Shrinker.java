package io.belay.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the story of a failure shorter: with fewer clients, users and things, with fewer kinds of faults and uses, from
 * other seeds, as long as the same promise is broken, and that sooner.
 */
final class Shrinker {
    /** From how many seeds a smaller plan is tried. */
    private static final int SEEDS = 30;

    private final Set<Oracle> ignored;
    private final Oracle broken;
    private final long until;
    private Plan best;
    private long steps;

    /** @param seconds how long to go on at most */
    Shrinker(Plan plan, Set<Oracle> ignored, Oracle broken, long steps, long seconds) {
        this.ignored = ignored;
        this.broken = broken;
        this.steps = steps;
        best = plan.sized((int) Math.min(plan.steps(), steps), plan.clients(), plan.users(), plan.things());
        until = System.nanoTime() + seconds * 1_000_000_000;
    }

    Plan shrink() {
        boolean smaller = true;
        while (smaller && System.nanoTime() < until) {
            smaller = false;
            for (Plan candidate : candidates()) {
                if (isStill(candidate)) {
                    smaller = true;
                    break;
                }
            }
        }
        return best;
    }

    private List<Plan> candidates() {
        List<Plan> all = new ArrayList<>();
        Plan b = best;
        if (b.clients() > 1) {
            all.add(b.sized(b.steps(), b.clients() - 1, b.users(), b.things()));
        }
        if (b.users() > 1) {
            all.add(b.sized(b.steps(), b.clients(), b.users() - 1, b.things()));
        }
        if (b.things() > 1) {
            all.add(b.sized(b.steps(), b.clients(), b.users(), b.things() - 1));
        }
        b.faults().forEach(fault -> all.add(b.without(fault)));
        b.uses().forEach(use -> all.add(b.without(use)));
        if (b.steps() > 20) {
            all.add(b.sized(b.steps() / 2, b.clients(), b.users(), b.things()));
            all.add(b.sized(b.steps() * 3 / 4, b.clients(), b.users(), b.things()));
        }
        return all;
    }

    private boolean isStill(Plan candidate) {
        for (int i = 0; i < SEEDS && System.nanoTime() < until; i++) {
            Plan tried = i == 0 ? candidate : candidate.seeded(Dice.mix(candidate.seed() + i));
            World world = new World(tried, ignored, false);
            @Nullable Violation found = world.run();
            if (found != null && found.oracle() == broken && world.scheduler.steps() <= Math.max(steps, 20)) {
                steps = world.scheduler.steps();
                int cut = (int) Math.min(tried.steps(), steps);
                best = tried.sized(cut, tried.clients(), tried.users(), tried.things());
                return true;
            }
        }
        return false;
    }
}
