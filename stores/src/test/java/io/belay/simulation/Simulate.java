package io.belay.simulation;

import io.belay.internal.PlantedFault;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Simulates whole clients from a seed: the main class of {@code trials/simulate}. */
public final class Simulate {
    static final String[] PACKAGES = {
        "io.belay",
        "io.belay.spi",
        "io.belay.support",
        "io.belay.internal",
        "io.belay.internal.time",
        "io.belay.internal.claim",
        "io.belay.internal.machine",
        "io.belay.internal.gate",
        "io.belay.internal.primitive",
        "io.belay.recipes",
        "io.belay.memory",
        "io.belay.document",
        "io.belay.node"
    };

    private static final String PLANTED = "--planted";
    private static final String SEED = "--seed";
    private static final Pattern WORLD = Pattern.compile("World (\\d+) of seed (\\d+) ");

    /** How many seeds a planted fault has to show itself. */
    private static final int SEEDS = 3;

    /** The seeds by which those show soon that show late by the first. */
    private static final Map<String, Long> SOONER = Map.of(
            "UNCONFIRMED_MAKES_SURE", 4L,
            "COUNTS_TAKE_NO_TURNS", 3L,
            "TAKEN_ONCE_RELEASED", 2L,
            "SEQUENCE_NEED_NOT_MATCH", 2L,
            "OLDER_ANSWER_MOVES_THE_END", 2L,
            "LAST_MESSAGE_WINS", 2L,
            "DEADLINE_FROM_RECEIPT_OF_PUSH", 2L,
            "PUSH_OF_ANY_SERVER_COUNTS", 4L);

    private Simulate() {}

    public static void main(String[] arguments) throws Exception {
        boolean kept;
        try {
            kept = isKept(arguments);
        } catch (IllegalArgumentException e) {
            if (!isOf(e, Run.WrongArguments.class)) {
                throw e;
            }
            System.err.println("simulate: " + e.getMessage() + ": see trials/simulate --help");
            System.exit(2);
            return;
        }
        if (!kept) {
            System.exit(1);
        }
    }

    /** Returns whether an exception is of a class, which may be that of another loader. */
    private static boolean isOf(Exception e, Class<? extends Exception> type) {
        return e.getClass().getName().equals(type.getName());
    }

    /** Runs what the arguments say; returns whether all is as it should be. */
    private static boolean isKept(String[] arguments) throws Exception {
        int at = List.of(arguments).indexOf(PLANTED) + 1;
        if (at == 0 || at == arguments.length) {
            List<String> lines = run(List.of(), arguments);
            lines.forEach(System.out::println);
            return !isBroken(lines);
        } else if (arguments[at].equals("all")) {
            boolean kept = true;
            for (String name : PlantedFault.names()) {
                arguments[at] = name;
                kept &= isFound(name, arguments);
            }
            return kept;
        }
        List<Switch> switches;
        try {
            switches = PlantedFault.switches(arguments[at]);
        } catch (IllegalArgumentException e) {
            throw new Run.WrongArguments(e.getMessage(), e);
        }
        List<String> lines = run(switches, arguments);
        lines.forEach(System.out::println);
        return isBroken(lines) && isClean(List.of(), lines, arguments);
    }

    /** Plants a fault in the worlds of a seed, and of the next ones if it shows in none of them; prints a line for each. */
    private static boolean isFound(String name, String[] arguments) throws Exception {
        int at = List.of(arguments).indexOf(SEED) + 1;
        long seed = at == 0
                ? SOONER.getOrDefault(name, 1L)
                : Run.number(SEED, List.of(arguments).listIterator(at));
        for (long last = seed + SEEDS; seed < last; seed++) {
            String[] with = Arrays.copyOf(arguments, arguments.length + 2);
            with[arguments.length] = SEED; // the last one counts
            with[arguments.length + 1] = Long.toString(seed);
            List<String> lines;
            try {
                lines = run(PlantedFault.switches(name), with);
            } catch (IllegalStateException e) {
                if (!isOf(e, Scheduler.Endless.class)) {
                    throw e;
                }
                System.out.printf("%-38s %s%n", name, "a thread computes without end");
                return true;
            }
            System.out.printf("%-38s %s%n", name, lines.get(lines.size() - 1));
            if (isBroken(lines)) {
                return isClean(List.of(), lines, with);
            }
        }
        return false;
    }

    /**
     * Returns whether the world in which a planted fault was found keeps all promises without it, and says so if not: then it is not
     * the planted one that was found.
     *
     * @param off what is switched off there all the same
     * @param found what the run with the fault has printed
     */
    static boolean isClean(Collection<Switch> off, List<String> found, String... arguments) throws Exception {
        Matcher world = WORLD.matcher(found.get(0));
        if (!world.lookingAt()) {
            throw new IllegalStateException("no world: " + found.get(0));
        }
        List<String> without = new ArrayList<>(List.of(arguments));
        without.set(without.indexOf(PLANTED), "--under");
        without.addAll(List.of("--as-it-is", SEED, world.group(2), "--from", world.group(1), "--steps", "1"));
        List<String> lines = run(off, without.toArray(String[]::new));
        if (isBroken(lines)) {
            System.out.println("That world breaks a promise without the fault as well:");
            lines.forEach(System.out::println);
        }
        return !isBroken(lines);
    }

    private static boolean isBroken(List<String> lines) {
        return lines.get(lines.size() - 1).contains(Run.FAILED);
    }

    /** Runs with some of production's methods switched off; returns what is to be printed. */
    @SuppressWarnings("unchecked")
    static List<String> run(Collection<Switch> off, String... arguments) throws Exception {
        SimulationLoader loader = new SimulationLoader(off);
        loader.load(PACKAGES);
        Class<?> run = Class.forName("io.belay.simulation.Run", true, loader);
        try {
            return (List<String>) run.getMethod("run", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
