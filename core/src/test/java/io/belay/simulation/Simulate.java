package io.belay.simulation;

import io.belay.internal.Inside;
import io.belay.internal.PlantedFault;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Simulates whole clients from a seed: the main class of {@code trials/simulate}. */
public final class Simulate {
    private static final String[] PACKAGES = {
        "io.belay", "io.belay.spi", "io.belay.internal", "io.belay.memory", "io.belay.document", "io.belay.node"
    };

    private Simulate() {}

    public static void main(String[] arguments) throws Exception {
        List<Switch> off = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--rule")) {
                off.addAll(Inside.rules());
            } else if (arguments[i].equals("--planted")) {
                off.addAll(PlantedFault.valueOf(arguments[i + 1]).switches());
            }
        }
        List<String> lines = run(off, arguments);
        lines.forEach(System.out::println);
        if (lines.get(lines.size() - 1).contains(Run.FAILED)) {
            System.exit(1);
        }
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
