package io.belay.internal;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** Lincheck as these tests use it. */
public final class Lincheck {
    /** What a run may take: with ten seconds, as by default, a busy machine makes a hang of the first, which loads classes. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Lincheck() {}

    public static ModelCheckingOptions schedules() {
        return patient(new ModelCheckingOptions());
    }

    public static StressOptions stress() {
        return patient(new StressOptions());
    }

    /** What fails is told as it was found: to look for less that fails, too, took longer than all other tests. */
    private static <T extends Options<T, ?>> T patient(T options) {
        return options.invocationTimeout$lincheck(PATIENCE.toMillis()).minimizeFailedScenario(false);
    }
}
