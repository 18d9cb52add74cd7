package io.belay.trials.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;

/** Sends signals through one shell that stays: quicker than a process for each. Thread-safe. */
final class Signals implements AutoCloseable {
    private final Process shell;
    private final Writer to;
    private final BufferedReader from;

    Signals() throws IOException {
        shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
        to = shell.outputWriter();
        from = shell.inputReader();
    }

    /** Sends a signal to a process that this one has started; nothing happens if it has ended. */
    synchronized void send(String signal, long pid) {
        try {
            to.write("kill -" + signal + " " + pid + " 2>/dev/null; echo done\n");
            to.flush();
            from.readLine();
        } catch (IOException e) {
            throw new IllegalStateException("the shell that sends signals has gone", e);
        }
    }

    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
