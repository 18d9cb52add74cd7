package io.belay.bench.work;

/** How a worker process ends when something goes wrong: its parent reads why. */
public final class Failure {
    /** What the line begins with. */
    public static final String WORD = "failed ";

    private Failure() {}

    public static void end(Throwable e) {
        e.printStackTrace(System.out);
        System.out.println(WORD + String.valueOf(e).lines().findFirst().orElse(""));
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }
}
