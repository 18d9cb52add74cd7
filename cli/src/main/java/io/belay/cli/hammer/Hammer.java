package io.belay.cli.hammer;

import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The parent that leads the processes through their steps, each taken by all before the next. */
final class Hammer {
    /** The time that the compiler has, in milliseconds: a store behind a network is reached by a lot of code. */
    private static final long WARM_UP_MILLIS = 3_000;

    private final HammerPlan plan;
    private final List<Path> drivers;
    private final Cleanup cleanup;

    Hammer(HammerPlan plan, List<Path> drivers, Cleanup cleanup) {
        this.plan = plan;
        this.drivers = drivers;
        this.cleanup = cleanup;
    }

    /**
     * Measures. All processes hammer from "run" to "stop", and each counts for the same time after "measure": none is
     * measured while another is not there yet or has gone already.
     */
    HammerResult run() throws IOException, InterruptedException {
        List<WorkerProcess> workers = new ArrayList<>();
        cleanup.add(() -> List.copyOf(workers).forEach(WorkerProcess::stop));
        for (int i = 0; i < plan.processes(); i++) {
            workers.add(WorkerProcess.start(plan, drivers, i));
        }
        for (WorkerProcess worker : workers) {
            worker.expect("connected");
        }
        tell(workers, "run");
        Thread.sleep(WARM_UP_MILLIS);
        tell(workers, "measure");
        System.err.println("measuring " + plan.size());
        List<WorkerResult> results = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            results.add(WorkerResult.parse(worker.expect("result ")));
        }
        tell(workers, "stop");
        return new HammerResult(results, plan.seconds());
    }

    private static void tell(List<WorkerProcess> workers, String step) {
        for (WorkerProcess worker : workers) {
            try {
                worker.tell(step);
            } catch (IOException e) {
                throw CliException.fellShort("a process ended by itself: " + worker.lastWords());
            }
        }
    }
}
