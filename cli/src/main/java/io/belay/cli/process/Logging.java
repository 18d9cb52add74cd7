package io.belay.cli.process;

/** The log's settings: warnings go to the error output. Their file has a name that the shop nodes do not look for. */
public final class Logging {
    private Logging() {}

    /** Names the file of the logging; the command calls this before anything logs. */
    public static void configure() {
        System.setProperty("logback.configurationFile", "io/belay/cli/log.xml");
    }
}
