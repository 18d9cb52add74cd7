package io.belay.cli.hammer;

import io.belay.cli.process.ChildJvm;
import io.belay.cli.text.CliException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that hammers, as its parent sees it. */
final class WorkerProcess {
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m");
    private static final long GRACE_MILLIS = 3_000;

    private final Process process;
    private final BufferedReader from;
    private final Writer to;
    private String lastLine = "it said nothing";

    private WorkerProcess(Process process) {
        this.process = process;
        this.from = process.inputReader();
        this.to = process.outputWriter();
    }

    /** Starts a process whose class path has the jars of drivers, too. */
    static WorkerProcess start(HammerPlan plan, List<Path> drivers, int number) throws IOException {
        Map<String, String> environment = Map.of(
                HammerWorker.STORE, plan.store(),
                HammerWorker.NAME, plan.name(),
                HammerWorker.CLIENT, "hammer-" + (number + 1),
                HammerWorker.THREADS, Integer.toString(plan.threads()),
                HammerWorker.SECONDS, Integer.toString(plan.seconds()),
                HammerWorker.LEASE, plan.lease().toString(),
                HammerWorker.SLICE, plan.slice().toString(),
                HammerWorker.STRICT, Boolean.toString(plan.strict()));
        return new WorkerProcess(ChildJvm.start(HammerWorker.class.getName(), OPTIONS, environment, drivers));
    }

    void tell(String step) throws IOException {
        to.write(step + "\n");
        to.flush();
    }

    /** Waits for a line that begins so, prints what else the process says, and returns the rest of the line. */
    String expect(String beginning) {
        try {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length());
                }
                lastLine = line;
                System.err.println(line);
            }
        } catch (IOException | UncheckedIOException e) {
            lastLine = String.valueOf(e.getMessage());
        }
        throw CliException.fellShort("a process ended by itself: " + lastLine);
    }

    String lastWords() {
        return lastLine;
    }

    void stop() {
        ChildJvm.stop(process, GRACE_MILLIS);
    }
}
