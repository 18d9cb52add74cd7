package io.belay.bench.work;

/** The end of a worker process when something goes wrong: its parent reads why. */
public final class Failure {
    /** The word that the line begins with. */
    public static final String WORD = "failed ";

    /** The word that the line begins with if a library lacks a class or a method. */
    public static final String LACKS = "lacks ";

    private Failure() {}

    public static void end(Throwable e) {
        e.printStackTrace(System.out);
        System.out.println(line(e));
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }

    private static String line(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoClassDefFoundError || cause instanceof IncompatibleClassChangeError) {
                return LACKS + cause.getMessage();
            }
        }
        return WORD + String.valueOf(e).lines().findFirst().orElse("");
    }
}
