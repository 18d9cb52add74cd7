package io.belay.servers;

import java.io.IOException;

/** A server in a process of its own, which can be killed, started again, and stopped. For one thread at a time. */
public interface Restartable {
    /** Returns whether the server's process is there, running or stopped. */
    boolean isAlive();

    /** Kills the server. What it has on its disk stays, and no process listens on its port. */
    void kill();

    /** Starts the server again after a kill, at the same address and with what it had. It may not answer yet. */
    void startAgain() throws IOException, InterruptedException;

    /** Stops the process (SIGSTOP): connections stay and are accepted, but nothing is answered. */
    void stop() throws IOException, InterruptedException;

    /** Lets a stopped process go on (SIGCONT). */
    void resume() throws IOException, InterruptedException;
}
