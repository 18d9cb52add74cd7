package io.belay.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a world is made of; all else is drawn from its seed.
 *
 * @param seed the seed
 * @param steps after how many steps nothing more goes wrong
 * @param clients how many clients there are at a time
 * @param users how many threads use each of them
 * @param things how many locks and the like there are
 * @param shape what kind of store they use
 * @param faults what may go wrong
 * @param uses what is made use of
 */
record Plan(long seed, int steps, int clients, int users, int things, Shape shape, Set<Fault> faults, Set<Use> uses) {
    private static final int STEPS = 4_000;

    /**
     * Draws one that has some faults and uses for sure, often no other faults beside them, and others not.
     *
     * @param only the kind of store; null if it is to be drawn
     */
    static Plan drawn(
            long seed, Set<Fault> with, Set<Use> used, Set<Fault> without, Set<Use> unused, @Nullable Shape only) {
        Dice dice = new Dice(seed);
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        int rarity = with.isEmpty() || dice.onceIn(2) ? dice.of(2, 4, 8, 16, 32) : Integer.MAX_VALUE;
        for (Fault fault : EnumSet.complementOf(EnumSet.copyOf(Fault.LATER))) {
            if ((dice.onceIn(rarity) || with.contains(fault)) && !without.contains(fault)) {
                faults.add(fault);
            }
        }
        if (faults.contains(Fault.NO_THREADS) && without.contains(Fault.NO_THREADS_AT_CLOSE)) {
            faults.remove(Fault.CLOSES);
        }
        Set<Use> uses = EnumSet.noneOf(Use.class);
        Dice later = new Dice(seed + 1);
        for (Use use : Use.values()) {
            if (Use.LATER.contains(use)) {
                if ((later.onceIn(3) || used.contains(use)) && !unused.contains(use)) {
                    uses.add(use);
                }
            } else if ((dice.onceIn(use == Use.CROWDS ? 6 : 2) || used.contains(use)) && !unused.contains(use)) {
                uses.add(use);
            }
        }
        Shape drawn = Shape.drawn(dice);
        while (only == null && !with.stream().allMatch(drawn::allows)) {
            drawn = Shape.drawn(dice);
        }
        Shape shape = only == null ? drawn : only;
        faults.removeIf(fault -> !shape.allows(fault));
        if (shape == Shape.NODES) {
            uses.remove(Use.LATE_CONNECTIONS); // what such a store has not is refused when a lock is made
            if (later.onceIn(2)) { // else there would hardly ever be sessions
                uses.removeIf(use -> Use.NEED_LEASES.contains(use) && !used.contains(use));
            }
        }
        for (Fault fault : Fault.LATER) {
            if ((later.onceIn(rarity) || with.contains(fault)) && !without.contains(fault) && shape.allows(fault)) {
                faults.add(fault);
            }
        }
        boolean crowded = uses.contains(Use.CROWDS);
        int users = crowded ? 4 + dice.below(5) : 1 + dice.below(4);
        int things = crowded ? 1 : 1 + dice.below(3);
        return new Plan(seed, STEPS, 1 + dice.below(3), users, things, shape, faults, uses);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Whether nothing but the client itself decides when its users are told of something. */
    boolean tellsAtOnce() {
        return !has(Fault.EXECUTOR_LATE)
                && !has(Fault.EXECUTOR_REJECTS)
                && !has(Fault.EXECUTOR_THROWS)
                && !has(Fault.NO_THREADS)
                && !has(Fault.USER_BLOCKS);
    }

    boolean has(Use use) {
        return uses.contains(use);
    }

    Plan sized(int newSteps, int newClients, int newUsers, int newThings) {
        return new Plan(seed, newSteps, newClients, newUsers, newThings, shape, faults, uses);
    }

    Plan seeded(long newSeed) {
        return new Plan(newSeed, steps, clients, users, things, shape, faults, uses);
    }

    Plan without(Fault fault) {
        Set<Fault> fewer = EnumSet.copyOf(faults);
        fewer.remove(fault);
        return new Plan(seed, steps, clients, users, things, shape, fewer, uses);
    }

    Plan without(Use use) {
        Set<Use> fewer = EnumSet.copyOf(uses);
        fewer.remove(use);
        return new Plan(seed, steps, clients, users, things, shape, faults, fewer);
    }

    /** The plan in words that {@link #parse} reads. */
    @Override
    public String toString() {
        return seed + " " + steps + " " + clients + " " + users + " " + things + " " + shape + " " + names(faults) + " "
                + names(uses);
    }

    private static String names(Set<? extends Enum<?>> some) {
        return some.isEmpty() ? "-" : some.stream().map(Enum::name).collect(Collectors.joining(","));
    }

    static Plan parse(String text) {
        String[] words = text.trim().split("\\s+");
        try {
            return new Plan(
                    Long.parseLong(words[0]),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Shape.parse(words[5]),
                    some(Fault.class, words[6]),
                    some(Use.class, words[7]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("'" + text + "' is no plan such as a failing run prints", e);
        }
    }

    private static <E extends Enum<E>> Set<E> some(Class<E> of, String names) {
        Set<E> some = EnumSet.noneOf(of);
        if (!names.equals("-")) {
            for (String name : names.split(",")) {
                some.add(Enum.valueOf(of, name));
            }
        }
        return some;
    }
}
