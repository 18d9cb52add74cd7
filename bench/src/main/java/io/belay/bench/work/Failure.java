package io.belay.bench.work;

/** How a worker process ends when something goes wrong: its parent reads why. */
public final class Failure {
    /** What the line begins with. */
    public static final String WORD = "failed ";

    /** What the line begins with if there is no such class or method in a library. */
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
