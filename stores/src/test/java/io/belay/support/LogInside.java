package io.belay.support;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;

/** Where a simulation has its processes log. */
public final class LogInside {
    private LogInside() {}

    /** Has all lines written by such threads, to such loggers. */
    public static void through(Executor threads, Function<String, Logger> loggers) {
        Log.through(new LogQueue(threads, Duration.ZERO, loggers));
    }
}
