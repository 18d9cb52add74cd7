package io.belay.servers;

import java.io.IOException;

/** Waits for what servers do on their own. */
final class Waiting {
    /** A condition that holds, or not yet; a server that is not there yet counts as not yet. */
    interface Condition {
        boolean holds() throws IOException;
    }

    private Waiting() {}

    /** Looks again and again until the condition holds. @throws IOException if it never does */
    static void until(String what, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + Pace.patience().toNanos();
        Exception last = null;
        while (System.nanoTime() < end) {
            try {
                if (condition.holds()) {
                    return;
                }
                last = null;
            } catch (IOException | IllegalStateException e) {
                last = e;
            }
            Thread.sleep(10);
        }
        throw new IOException("not after " + Pace.patience().toSeconds() + " s: " + what, last);
    }
}
