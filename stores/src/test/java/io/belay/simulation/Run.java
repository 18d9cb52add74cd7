package io.belay.simulation;

import io.belay.internal.PlantedFault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@link Simulate} runs with woven classes: worlds from a seed, until there were enough steps or one fails. */
public final class Run {
    /** How long after the last word it is told how far the run is, in nanoseconds. */
    private static final long PROGRESS = 20_000_000_000L;

    private final Set<Fault> with = EnumSet.noneOf(Fault.class);
    private final Set<Use> used = EnumSet.noneOf(Use.class);
    private final Set<Fault> without = EnumSet.noneOf(Fault.class);
    private final Set<Use> unused = EnumSet.noneOf(Use.class);
    private final Set<Oracle> ignored = EnumSet.noneOf(Oracle.class);
    private long seed = 1;
    private long steps = 1_000_000;
    private long first;
    private long last = Long.MAX_VALUE;
    private @Nullable Plan only;
    private @Nullable Shape shape;
    private boolean goesOn;
    private boolean shrinks = true;
    private boolean tells;

    private long done;
    private long hash;
    private final Map<String, Integer> found = new TreeMap<>();
    private final List<String> lines = new ArrayList<>();

    /** Tells that a run was asked for in words that mean none. */
    static final class WrongArguments extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        WrongArguments(@Nullable String message, Exception why) {
            super(message, why);
        }
    }

    private Run(String[] arguments) {
        without.addAll(Fault.NOT_YET);
        unused.addAll(Use.NOT_YET);
        ignored.addAll(Oracle.NOT_YET);
        for (Iterator<String> words = List.of(arguments).iterator(); words.hasNext(); ) {
            String option = words.next();
            switch (option) {
                case "--seed" -> seed = number(option, words);
                case "--steps" -> steps = number(option, words);
                case "--world" -> {
                    first = number(option, words);
                    last = first;
                    tells = true;
                    shrinks = false;
                }
                case "--from" -> first = number(option, words);
                case "--plan" -> {
                    only = Plan.parse(value(option, words));
                    tells = true;
                    shrinks = false;
                }
                case "--shape" -> shape = Shape.parse(value(option, words));
                case "--all" -> {
                    without.clear();
                    ignored.clear();
                    unused.clear();
                }
                case "--planted" -> {
                    String fault = value(option, words);
                    PlantedFault.plant(fault);
                    under(PlantedFault.circumstances(fault));
                }
                case "--under" -> under(PlantedFault.circumstances(value(option, words)));
                case "--with" ->
                    pick(List.of(value(option, words).split(",")), with, used, EnumSet.noneOf(Oracle.class));
                case "--go-on" -> goesOn = true;
                case "--as-it-is" -> shrinks = false;
                case "--without" -> pick(List.of(value(option, words).split(",")), without, unused, ignored);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " has no value");
        }
        return words.next();
    }

    static long number(String option, Iterator<String> words) {
        String value = value(option, words);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new WrongArguments(option + " is " + value + ", but must be a number", e);
        }
    }

    /** Has worlds in which a planted fault shows. */
    private void under(List<String> circumstances) {
        List<String> names = new ArrayList<>(circumstances);
        boolean nothingElse = names.remove(PlantedFault.NOTHING_ELSE);
        for (Shape each : Shape.values()) {
            shape = names.remove(each.name()) ? each : shape;
        }
        pick(names, with, used, EnumSet.noneOf(Oracle.class));
        if (nothingElse) {
            without.addAll(EnumSet.complementOf(EnumSet.copyOf(with)));
        }
    }

    private static void pick(List<String> names, Set<Fault> faults, Set<Use> uses, Set<Oracle> oracles) {
        for (String name : names) {
            if (!pick(Fault.class, name, faults) & !pick(Use.class, name, uses) & !pick(Oracle.class, name, oracles)) {
                throw new IllegalArgumentException("no fault, use or promise is called " + name + "; there are "
                        + EnumSet.allOf(Fault.class) + ", " + EnumSet.allOf(Use.class) + " and "
                        + EnumSet.allOf(Oracle.class));
            }
        }
    }

    private static <E extends Enum<E>> boolean pick(Class<E> of, String name, Set<E> into) {
        for (E each : of.getEnumConstants()) {
            if (each.name().equals(name)) {
                into.add(each);
                return true;
            }
        }
        return false;
    }

    /** Runs as the arguments say; returns the lines to print. Whether a promise was broken is told by {@link #FAILED}. */
    public static List<String> run(String[] arguments) {
        Run run;
        try {
            run = new Run(arguments);
        } catch (IllegalArgumentException e) {
            throw new WrongArguments(e.getMessage(), e);
        }
        long begin = System.nanoTime();
        run.worlds();
        run.lines.add(String.format(
                Locale.ROOT,
                "%,d steps in %.1f s, hash %x%s",
                run.done,
                (System.nanoTime() - begin) / 1e9,
                run.hash,
                run.found.isEmpty() ? ", clean" : ", " + FAILED + " " + run.found));
        return run.lines;
    }

    /** In the last line of a run in which a promise was broken. */
    public static final String FAILED = "broken";

    private void worlds() {
        long told = System.nanoTime();
        for (long number = first; done < steps && number <= last; number++) {
            if (System.nanoTime() - told > PROGRESS) {
                told = System.nanoTime();
                System.err.printf(Locale.ROOT, "simulate: %,d of %,d steps, world %,d%n", done, steps, number);
            }
            Plan plan = only != null ? only : Plan.drawn(Dice.mix(seed) + number, with, used, without, unused, shape);
            World world = new World(plan, ignored, tells);
            Violation violation = world.run();
            done += world.scheduler.steps();
            hash = Dice.mix(hash + world.scheduler.hash());
            if (violation != null) {
                found.merge(violation.oracle().name(), 1, Integer::sum);
                fail(number, world, violation);
                if (!goesOn) {
                    return;
                }
            } else if (tells) {
                lines.addAll(world.story.lines());
            }
            if (only != null) {
                return;
            }
        }
    }

    private void fail(long number, World world, Violation violation) {
        lines.add("World " + number + " of seed " + seed + " (" + world.plan + ") breaks a promise at step "
                + world.scheduler.steps() + ":");
        lines.add(violation.toString());
        if (tells) {
            lines.addAll(world.story.lines());
        } else if (shrinks) {
            Plan smaller = new Shrinker(world.plan, ignored, violation.oracle(), world.scheduler.steps(), 20).shrink();
            World again = new World(smaller, ignored, true);
            Violation same = again.run();
            lines.add("A shorter one, --plan '" + smaller + "':");
            lines.addAll(again.story.lines());
            lines.add(String.valueOf(same));
        }
    }
}
