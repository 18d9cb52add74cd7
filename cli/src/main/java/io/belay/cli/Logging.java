package io.belay.cli;

/** Warnings go to the error output. Not by a file of the usual name: the shop nodes have the same class path. */
public final class Logging {
    private Logging() {}

    /** To be called before anything logs. */
    public static void configure() {
        System.setProperty("logback.configurationFile", "io/belay/cli/log.xml");
    }
}
